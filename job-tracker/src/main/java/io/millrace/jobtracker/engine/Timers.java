package io.millrace.jobtracker.engine;

import io.millrace.internal.time.Duty;
import io.millrace.internal.time.Pace;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.internal.time.TimedExecutor;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * Makes the timers of periodic tasks. Thread-safe.
 *
 * @param time clock, timer and executor of the tracker
 * @param random spreads the intervals; must be thread-safe
 */
public record Timers(TimedExecutor time, RandomGenerator random) {

  /** Makes a timer that runs the task on the tracker's executor. The timer is not started. */
  public RepeatedTimer timer(String name, Pace pace, Duty task) {
    return timer(name, pace, time.executor(), task);
  }

  /**
   * As {@link #timer(String, Pace, Duty)}, and connects the timer to a {@link WakeUp} made before.
   */
  public RepeatedTimer timer(String name, Pace pace, WakeUp wakeUp, Duty task) {
    RepeatedTimer timer = timer(name, pace, task);
    wakeUp.wakes(timer);
    return timer;
  }

  /** As {@link #timer(String, Pace, Duty)}, on another executor. */
  public RepeatedTimer timer(String name, Pace pace, Executor executor, Duty task) {
    return new RepeatedTimer(name, time.timer(), executor, time.clock(), pace, random, task);
  }
}
