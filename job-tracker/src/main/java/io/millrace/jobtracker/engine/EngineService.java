package io.millrace.jobtracker.engine;

import java.util.concurrent.CompletableFuture;

/** Something that works by timers of its own while a tracker runs. */
public interface EngineService {

  /** Begins; called once. */
  void start();

  /** Begins no further run; completes when what is under way has ended. */
  CompletableFuture<Void> stop();
}
