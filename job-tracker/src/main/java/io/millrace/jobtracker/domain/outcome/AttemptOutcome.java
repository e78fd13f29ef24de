package io.millrace.jobtracker.domain.outcome;

import io.millrace.common.protocol.ExecutionResult;

/** Why an execution is to end, and who says so. */
public sealed interface AttemptOutcome {

  long executionId();

  /**
   * The worker reported a result.
   *
   * @param result what it said
   * @param workerId the node that said it, by its connection
   */
  record Reported(ExecutionResult result, String workerId) implements AttemptOutcome {
    @Override
    public long executionId() {
      return result.executionId();
    }
  }

  /**
   * The worker asks on without ever having received the execution.
   *
   * @param epoch ownership of the node group under which this was found out
   */
  record NeverReceived(long executionId, long epoch) implements AttemptOutcome {}

  /**
   * The lease ran out: the worker is silent, and may have started the execution even if it never
   * listed it.
   *
   * @param epoch ownership of the node group under which this was found out
   */
  record LeaseExpired(long executionId, long epoch) implements AttemptOutcome {}

  /**
   * The attempt has taken longer than its job allows, and its worker neither ended it nor stopped
   * it when it was told to.
   *
   * @param epoch ownership of the node group under which this was found out
   */
  record TimedOut(long executionId, long epoch) implements AttemptOutcome {}
}
