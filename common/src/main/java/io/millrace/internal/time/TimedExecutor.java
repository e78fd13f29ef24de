package io.millrace.internal.time;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * A clock, a timer and an executor, which let a component run tasks now and later without its own
 * thread. Thread-safe.
 *
 * @param clock the source of time
 * @param timer schedules delayed tasks
 * @param executor runs the tasks; they may block
 */
public record TimedExecutor(Clock clock, Timer timer, Executor executor) implements Executor {

  /** Epoch milliseconds by the clock. */
  public long millis() {
    return clock.millis();
  }

  /** Monotonic milliseconds; only differences are meaningful. */
  public long monotonicMillis() {
    return clock.nanoTime() / 1_000_000;
  }

  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  /** Runs the task on the executor after the delay. */
  public Timer.Timeout schedule(Duration delay, Runnable task) {
    return timer.schedule(delay, executor, task);
  }
}
