package io.millrace.jobtracker.engine;

import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.jobtracker.domain.outcome.AttemptOutcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Ends executions, whichever part of the tracker detected their end. Thread-safe. */
public interface ExecutionCompletions {

  /**
   * Ends executions of a node group. Each future completes after the commit and reports whether
   * this end was accepted. An execution that has already ended does not change.
   */
  List<CompletableFuture<CompletionStatus>> end(String nodeGroup, List<AttemptOutcome> ends);
}
