package io.millrace.common.rpc.connection;

import io.millrace.common.collection.BoundedMap;
import io.millrace.common.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Slows down those who guess tokens: a wrong proof is answered the later, the more of them came
 * from its address lately. Right proofs are never delayed. Thread-safe.
 */
public final class WrongProofs {
  static final Duration MAX_DELAY = Duration.ofSeconds(5);

  /** A node with a token that was mistyped is told at once. */
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

  /** Counts a wrong proof; returns how long its answer must wait. */
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

  /** How many there were. */
  long seen() {
    return seen.get();
  }
}
