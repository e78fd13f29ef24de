package io.millrace.internal.rpc.connection;

import io.millrace.internal.collection.BoundedMap;
import io.millrace.internal.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Slows down guessing of tokens: the more wrong proofs an address has sent recently, the longer the
 * answer is delayed. Right proofs are never delayed. Thread-safe.
 */
public final class WrongProofs {
  static final Duration MAX_DELAY = Duration.ofSeconds(5);

  /** Wrong proofs that are answered at once, so that a node with a mistyped token does not wait. */
  public static final int FREE = 10;

  private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(1);
  private static final int MAX_ADDRESSES = 1_000;
  private static final long FIRST_DELAY_MILLIS = 100;

  private final Clock clock;
  private final AtomicLong seen = new AtomicLong();
  private final Map<String, Guesses> byAddress = BoundedMap.byUse(MAX_ADDRESSES);

  private static final class Guesses {
    private int count;
    private long lastAt;
  }

  WrongProofs(Clock clock) {
    this.clock = clock;
  }

  /** Counts a wrong proof; returns the delay of its answer. */
  Duration count(String host) {
    seen.incrementAndGet();
    long now = clock.nanoTime();
    int before;
    synchronized (this) {
      Guesses guesses = byAddress.computeIfAbsent(host, unused -> new Guesses());
      if (now - guesses.lastAt > FORGOTTEN_AFTER.toNanos()) {
        guesses.count = 0;
      }
      before = guesses.count;
      guesses.count = Math.min(before + 1, 1_000);
      guesses.lastAt = now;
    }
    return delayAfter(before);
  }

  private static Duration delayAfter(int before) {
    if (before < FREE) {
      return Duration.ZERO;
    }
    long millis = FIRST_DELAY_MILLIS << Math.min(before - FREE, 10);
    return Duration.ofMillis(Math.min(millis, MAX_DELAY.toMillis()));
  }

  /** The number of wrong proofs so far. */
  long seen() {
    return seen.get();
  }
}
