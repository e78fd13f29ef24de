package io.millrace.internal.time;

import java.time.Duration;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks later. Keeps tasks in memory only, so it must not be the only record of anything. One
 * wheel serves the whole process ({@link WheelTimer}). Thread-safe.
 */
public interface Timer {

  /**
   * Hands the task to the executor once, after the delay, never earlier. A delay of zero or less
   * hands it over at once.
   */
  Timeout schedule(Duration delay, Executor executor, Runnable task);

  /** Cancels a task that may not have been scheduled. */
  static void cancel(@Nullable Timeout timeout) {
    if (timeout != null) {
      timeout.cancel();
    }
  }

  /** A scheduled task. */
  interface Timeout {
    /** Returns true if the task was not handed over and now never will be. */
    boolean cancel();
  }
}
