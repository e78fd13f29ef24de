package io.millrace.jobtracker.engine;

import io.millrace.internal.time.RepeatedTimer;
import java.util.concurrent.CompletableFuture;

/**
 * A periodic task of the tracker.
 *
 * @param timer the timer of the task
 * @param runsAtStart whether the task also runs once when the tracker starts
 */
public record PeriodicService(RepeatedTimer timer, boolean runsAtStart) implements EngineService {

  @Override
  public void start() {
    timer.start();
    if (runsAtStart) {
      timer.wake();
    }
  }

  /** Completes when a run under way has ended. */
  @Override
  public CompletableFuture<Void> stop() {
    return timer.destroy();
  }
}
