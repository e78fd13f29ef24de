package io.millrace.jobtracker.domain.outcome;

import io.millrace.internal.protocol.ExecutionResult;

/** Why an execution is to end, and who reported it. */
public sealed interface AttemptOutcome {

  long executionId();

  /**
   * The worker reported a result.
   *
   * @param result the result as reported
   * @param workerId node id of the worker that reported it, as known by its connection
   */
  record Reported(ExecutionResult result, String workerId) implements AttemptOutcome {
    @Override
    public long executionId() {
      return result.executionId();
    }
  }

  /**
   * The worker keeps pulling, and has never received the execution.
   *
   * @param epoch the ownership of the node group under which this was found
   */
  record NeverReceived(long executionId, long epoch) implements AttemptOutcome {}

  /**
   * The lease ran out: the worker is silent, and may have started the execution even if it never
   * listed it.
   *
   * @param epoch the ownership of the node group under which this was found
   */
  record LeaseExpired(long executionId, long epoch) implements AttemptOutcome {}

  /**
   * The attempt has taken longer than its job allows, and its worker neither ended it nor stopped
   * it when asked to.
   *
   * @param epoch the ownership of the node group under which this was found
   */
  record TimedOut(long executionId, long epoch) implements AttemptOutcome {}
}
