package io.millrace.jobtracker.domain.outcome;

import io.millrace.api.Outcome;
import io.millrace.internal.protocol.ExecutionResult;
import org.jspecify.annotations.Nullable;

/** Why an execution is to end, and who reported it. */
public sealed interface AttemptOutcome {

  long executionId();

  /** How many parts the attempt has stored, which ended with success; null if it split no run. */
  default @Nullable Integer staged() {
    return null;
  }

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

    @Override
    public @Nullable Integer staged() {
      return result.outcome() == Outcome.SUCCESS ? result.staged() : null;
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
