package io.millrace.jobtracker.engine;

import java.util.concurrent.CompletableFuture;

/** A service with its own timers that works while a tracker runs. */
public interface EngineService {

  /** Starts the service; called once. */
  void start();

  /** Starts no further run; completes when the run under way has ended. */
  CompletableFuture<Void> stop();

  /**
   * Reports what the services did last. Called after all services of the tracker have stopped, so
   * that nothing comes after it.
   */
  default CompletableFuture<Void> finish() {
    return CompletableFuture.completedFuture(null);
  }
}
