package io.millrace.jobtracker.domain.outcome;

import org.jspecify.annotations.Nullable;

/**
 * What becomes of a trigger whose execution ends.
 *
 * @param status how the execution ended
 * @param cause if the status alone does not explain the end; otherwise null
 * @param nextDueAt when the next attempt may start, if the trigger goes back to waiting
 * @param nextAttempt number of the next attempt, if the trigger goes back to waiting
 */
public record CompletionDecision(
    LedgerStatus status, @Nullable Cause cause, long nextDueAt, int nextAttempt) {

  static CompletionDecision end(LedgerStatus status, @Nullable Cause cause) {
    return new CompletionDecision(status, cause, 0, 0);
  }

  /** The same decision, with the next attempt due at this instant at the earliest. */
  CompletionDecision notBefore(long earliestDueAt) {
    return goesBack() && nextDueAt < earliestDueAt
        ? new CompletionDecision(status, cause, earliestDueAt, nextAttempt)
        : this;
  }

  /** Whether the trigger goes back to waiting. */
  public boolean goesBack() {
    return !status.isFinal();
  }
}
