package io.millrace.jobtracker.engine;

import io.millrace.common.time.RepeatedTimer;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the timer of a periodic task, and can be handed out before that timer is made: so two parts
 * that wake one another are built one after the other. Does nothing before. Thread-safe.
 */
public final class WakeUp {
  private volatile @Nullable RepeatedTimer timer;

  /** Runs the task as soon as possible. */
  public void wake() {
    RepeatedTimer known = timer;
    if (known != null) {
      known.wake();
    }
  }

  void wakes(RepeatedTimer woken) {
    timer = woken;
  }
}
