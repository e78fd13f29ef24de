package io.millrace.common.time;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * The clock, the timer and the executor that a room is handed: with them it can do things now and
 * later without a thread of its own. Thread-safe.
 *
 * @param clock what the time is
 * @param timer what waits
 * @param executor what runs; blocking is allowed on it
 */
public record TimedExecutor(Clock clock, Timer timer, Executor executor) implements Executor {

  /** Epoch milliseconds by the clock. */
  public long millis() {
    return clock.millis();
  }

  /** Milliseconds on a line that never goes back. */
  public long monotonicMillis() {
    return clock.nanoTime() / 1_000_000;
  }

  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  /** Runs the task on the executor when the delay is over. */
  public Timer.Timeout schedule(Duration delay, Runnable task) {
    return timer.schedule(delay, executor, task);
  }
}
