package io.millrace.jobtracker.engine;

import io.millrace.internal.time.RepeatedTimer;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the timer of a periodic task. It can be passed on before that timer exists, so that two
 * parts that wake each other can be built one after the other. Until the timer exists, waking does
 * nothing. Thread-safe.
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
