package io.millrace.tasktracker;

import io.millrace.common.time.Clock;
import io.millrace.common.time.Timer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs bodies on virtual threads, and on platform threads while no carrier takes them up. There are
 * as many carriers as processors, and a body that computes, waits in native code or ignores its
 * interrupt keeps its carrier: a few of them would keep everything else this worker was given from
 * ever beginning, while its lease goes on.
 *
 * <p>A body that waits for a carrier for too long gets a platform thread. Its virtual thread stays
 * where it is and does nothing once it gets a carrier, but that it came says that carriers are free
 * again; until then, whatever comes begins on a platform thread at once.
 *
 * <p>A body that has begun stays where it is: one that waits for something, and finds every carrier
 * taken when that has come, goes on when one is free. Thread-safe.
 */
final class VirtualBodies implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(VirtualBodies.class);

  /** How long a body waits for a carrier before it gets a platform thread. */
  static final Duration PATIENCE = Duration.ofMillis(100);

  private static final Duration BETWEEN_WORDS = Duration.ofMinutes(1);

  private final Executor virtual;
  private final Executor platform;
  private final Timer timer;
  private final Clock clock;

  /** Virtual threads that still wait for a carrier although their bodies have begun elsewhere. */
  private final AtomicInteger overtaken = new AtomicInteger();

  private final AtomicLong nextWord;

  /**
   * @param virtual runs each task on a virtual thread of its own
   * @param platform runs tasks on platform threads
   */
  VirtualBodies(Executor virtual, Executor platform, Timer timer, Clock clock) {
    this.virtual = virtual;
    this.platform = platform;
    this.timer = timer;
    this.clock = clock;
    this.nextWord = new AtomicLong(clock.nanoTime());
  }

  /**
   * Runs the body once.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the executor below refuses it, or
   *     whatever else that throws; the body does not run then
   */
  @Override
  public void execute(Runnable body) {
    if (overtaken.get() > 0) {
      platform.execute(body);
      return;
    }
    Start start = new Start(body);
    Timer.Timeout patience = timer.schedule(PATIENCE, platform, start::withoutCarrier);
    try {
      virtual.execute(() -> start.onCarrier(patience));
    } catch (RuntimeException | Error refused) {
      boolean unused = patience.cancel();
      throw refused;
    }
  }

  private void tell() {
    long now = clock.nanoTime();
    long next = nextWord.get();
    if (now - next >= 0 && nextWord.compareAndSet(next, now + BETWEEN_WORDS.toNanos())) {
      LOG.info(
          "execute: the bodies under way have kept every carrier of virtual threads for {}; others"
              + " begin on platform threads until one is free. Bodies that compute for long belong"
              + " on a worker with bodyThreads(PLATFORM)",
          PATIENCE);
    }
  }

  /** A body that two threads may reach for; the first one runs it. */
  private final class Start {
    private final Runnable body;
    private final AtomicBoolean begun = new AtomicBoolean();

    Start(Runnable body) {
      this.body = body;
    }

    void onCarrier(Timer.Timeout patience) {
      if (begun.compareAndSet(false, true)) {
        boolean unused = patience.cancel();
        body.run();
      } else {
        overtaken.decrementAndGet();
      }
    }

    void withoutCarrier() {
      // Counted first, so that the carrier which comes later has something to take back.
      overtaken.incrementAndGet();
      if (begun.compareAndSet(false, true)) {
        tell();
        body.run();
      } else {
        overtaken.decrementAndGet();
      }
    }
  }
}
