package io.millrace.jobclient;

import io.millrace.common.model.CancelResult;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.protocol.JobSubmission;
import io.millrace.jobclient.outbox.OutboxOutcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request that was saved in the outbox. Exactly one of the last three components
 * is set.
 *
 * @param nodeGroup with the task id, the key of the job
 * @param submission what was submitted; null if it was a cancel, or can no longer be read
 * @param savedAt when it was saved
 * @param submitted the tracker's answer to a submit
 * @param cancelled the tracker's answer to a cancel
 * @param givenUp why there is no answer and the client no longer waits for one, for a person: too
 *     old, refused, or unreadable. Whether a tracker has the request all the same is not known
 */
public record SavedJobOutcome(
    String nodeGroup,
    String taskId,
    @Nullable JobSubmission submission,
    Instant savedAt,
    @Nullable SubmitResult submitted,
    @Nullable CancelResult cancelled,
    @Nullable String givenUp) {

  static SavedJobOutcome of(OutboxOutcome outcome) {
    return new SavedJobOutcome(
        outcome.key().nodeGroup(),
        outcome.key().taskId(),
        outcome.submission(),
        outcome.savedAt(),
        outcome.submitted(),
        outcome.cancelled(),
        outcome.givenUp());
  }

  /** Whether a tracker has answered. */
  public boolean isAnswered() {
    return givenUp == null;
  }
}
