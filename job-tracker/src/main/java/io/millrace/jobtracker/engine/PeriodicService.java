package io.millrace.jobtracker.engine;

import io.millrace.common.time.RepeatedTimer;
import java.util.concurrent.CompletableFuture;

/**
 * A periodic task that runs once at the start of the tracker, and then by its timer.
 *
 * @param timer the timer of the task
 */
public record PeriodicService(RepeatedTimer timer) implements EngineService {

  @Override
  public void start() {
    timer.start();
    timer.wake();
  }

  @Override
  public CompletableFuture<Void> stop() {
    return timer.destroy();
  }
}
