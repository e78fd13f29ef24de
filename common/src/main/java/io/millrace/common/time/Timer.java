package io.millrace.common.time;

import java.time.Duration;
import java.util.concurrent.Executor;

/**
 * Runs tasks later. Carries only what is in memory, and is never a record of anything. One wheel
 * serves the whole process ({@link WheelTimer}); tests drive a {@link ManualTimer}. Thread-safe.
 */
public interface Timer {

  /**
   * Hands the task to the executor once, when the delay is over; never before. A delay of zero or
   * less hands it over at once.
   */
  Timeout schedule(Duration delay, Executor executor, Runnable task);

  /** A scheduled task. */
  interface Timeout {
    /** Returns true if the task had not been handed over, and now never will be. */
    boolean cancel();
  }
}
