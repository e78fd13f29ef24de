package io.millrace.tasktracker.internal.threads;

import io.millrace.internal.time.Clock;
import io.millrace.internal.time.Timer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs invocations on virtual threads, and on platform threads while no carrier thread is free.
 * There are as many carriers as processors. An invocation that computes, waits in native code or
 * ignores its interrupt keeps its carrier. A few of these invocations would prevent all others of
 * this worker from beginning, while their leases are renewed.
 *
 * <p>An invocation that waits too long for a carrier gets a platform thread. Its virtual thread
 * keeps waiting. When that thread gets a carrier, it only records that carriers are free again.
 * Until then, new invocations begin on platform threads at once.
 *
 * <p>An invocation that has begun does not change its thread: if an invocation waits for an event
 * on a virtual thread, and every carrier is taken when the event arrives, the invocation continues
 * when a carrier is free. Thread-safe.
 */
public final class SpilloverExecutor implements Executor {
  private static final Logger LOG = LoggerFactory.getLogger(SpilloverExecutor.class);

  /** How long an invocation waits for a carrier before it gets a platform thread. */
  static final Duration PATIENCE = Duration.ofMillis(100);

  private static final Duration BETWEEN_LOGS = Duration.ofMinutes(1);

  private final Executor virtual;
  private final Executor platform;
  private final Timer timer;
  private final Clock clock;

  /**
   * The number of virtual threads that still wait for a carrier although their invocations have
   * begun on platform threads.
   */
  private final AtomicInteger overtaken = new AtomicInteger();

  private final AtomicLong nextLog;

  /**
   * Creates the executor.
   *
   * @param virtual runs each task on a virtual thread of its own
   * @param platform runs tasks on platform threads
   */
  public SpilloverExecutor(Executor virtual, Executor platform, Timer timer, Clock clock) {
    this.virtual = virtual;
    this.platform = platform;
    this.timer = timer;
    this.clock = clock;
    this.nextLog = new AtomicLong(clock.nanoTime());
  }

  /**
   * Runs the invocation once.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the underlying executor rejects the
   *     invocation; other exceptions and errors of that executor are thrown too. The invocation
   *     then does not run
   */
  @Override
  public void execute(Runnable invocation) {
    if (overtaken.get() > 0) {
      platform.execute(invocation);
      return;
    }
    Start start = new Start(invocation);
    Timer.Timeout patience = timer.schedule(PATIENCE, platform, start::withoutCarrier);
    try {
      virtual.execute(() -> start.onCarrier(patience));
    } catch (RuntimeException | Error refused) {
      boolean unused = patience.cancel();
      throw refused;
    }
  }

  private void logOccupied() {
    long now = clock.nanoTime();
    long next = nextLog.get();
    if (now - next >= 0 && nextLog.compareAndSet(next, now + BETWEEN_LOGS.toNanos())) {
      LOG.info(
          "execute: the running invocations have occupied every carrier of virtual threads for {};"
              + " new ones start on platform threads until a carrier is free. Run invocations that"
              + " compute for a long time on a worker with runnerThreads(PLATFORM)",
          PATIENCE);
    }
  }

  /** An invocation for which two threads compete; the first one runs it. */
  private final class Start {
    private final Runnable invocation;
    private final AtomicBoolean begun = new AtomicBoolean();

    Start(Runnable invocation) {
      this.invocation = invocation;
    }

    void onCarrier(Timer.Timeout patience) {
      if (begun.compareAndSet(false, true)) {
        boolean unused = patience.cancel();
        invocation.run();
      } else {
        overtaken.decrementAndGet();
      }
    }

    void withoutCarrier() {
      // Incremented first, so that the virtual thread, if it comes second, finds a count to
      // decrement.
      overtaken.incrementAndGet();
      if (begun.compareAndSet(false, true)) {
        logOccupied();
        invocation.run();
      } else {
        overtaken.decrementAndGet();
      }
    }
  }
}
