package io.millrace.jobtracker.engine;

import io.millrace.common.protocol.CompletionStatus;
import io.millrace.jobtracker.domain.outcome.AttemptOutcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Ends executions, whoever found out that they are over. Thread-safe. */
public interface ExecutionCompletions {

  /**
   * Ends executions of a node group. Each future tells, after the commit, whether this end counts;
   * an execution that has ended before is left as it is.
   */
  List<CompletableFuture<CompletionStatus>> end(String nodeGroup, List<AttemptOutcome> ends);
}
