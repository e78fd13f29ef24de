package io.millrace.internal.time;

import io.netty.util.HashedWheelTimer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only timer wheel of the process: 4096 slots of one millisecond, turned by one daemon thread.
 * On an idle machine a task is handed over one or two ticks after its time, never earlier.
 *
 * <p>The wheel's thread only hands tasks over, so an executor given to it must not run tasks in the
 * calling thread unless they are as short as a hand-over. If an executor rejects a task or throws
 * anything else, only that task is lost, and this is logged. Scheduling and cancelling take
 * constant time. Thread-safe.
 */
public final class WheelTimer implements Timer, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WheelTimer.class);
  private static final int SLOTS = 4096;
  private static final Timeout HANDED_OVER = () -> false;

  private final String name;
  private final HashedWheelTimer wheel;

  /** Makes a timer and starts its thread with this name. */
  public WheelTimer(String threadName) {
    this.name = threadName;
    this.wheel =
        new HashedWheelTimer(
            wheelLoop -> newThread(threadName, wheelLoop), 1, TimeUnit.MILLISECONDS, SLOTS, false);
    wheel.start();
  }

  private static Thread newThread(String threadName, Runnable wheelLoop) {
    Thread thread = new Thread(wheelLoop, threadName);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the timer is closed
   */
  @Override
  public Timeout schedule(Duration delay, Executor executor, Runnable task) {
    if (delay.isNegative() || delay.isZero()) {
      handOver(executor, task);
      return HANDED_OVER;
    }
    io.netty.util.Timeout timeout =
        wheel.newTimeout(
            expired -> handOver(executor, task), saturatedNanos(delay), TimeUnit.NANOSECONDS);
    return timeout::cancel;
  }

  /** The number of waiting tasks, including cancelled ones that the wheel has not yet passed. */
  public long pending() {
    return wheel.pendingTimeouts();
  }

  /**
   * Stops the wheel and waits for its thread. Tasks that still wait are dropped. Idempotent.
   *
   * @throws IllegalStateException if called by the wheel's own thread
   */
  @Override
  public void close() {
    int dropped = wheel.stop().size();
    if (dropped > 0) {
      LOG.debug("{}: closed with {} tasks waiting", name, dropped);
    }
  }

  private void handOver(Executor executor, Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException refused) {
      if (executor instanceof ExecutorService service && service.isShutdown()) {
        // Tasks that still wait when their executor is shut down are expected not to run.
        LOG.debug("{}: {} is shut down; {} will not run", name, executor, task);
        return;
      }
      LOG.warn("{}: {} rejected {}, which will not run", name, executor, task, refused);
    } catch (Throwable thrown) {
      LOG.error("{}: passing {} to {} failed", name, task, executor, thrown);
    }
  }

  private static long saturatedNanos(Duration delay) {
    try {
      return delay.toNanos();
    } catch (ArithmeticException longerThanALong) {
      return Long.MAX_VALUE;
    }
  }
}
