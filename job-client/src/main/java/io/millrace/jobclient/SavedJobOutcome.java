package io.millrace.jobclient;

import io.millrace.api.CancelResult;
import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.jobclient.internal.outbox.OutboxOutcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request that was saved in the outbox. Exactly one of the last three components
 * is set.
 *
 * @param nodeGroup the node group of the job; with the task id, the key of the job
 * @param submissionId the id of the submit, the same on every resend; null with {@code job}
 * @param job the submitted job; null if the request was a cancel or can no longer be read
 * @param savedAt when the request was saved
 * @param submitted the tracker's answer to a submit
 * @param cancelled the tracker's answer to a cancel
 * @param givenUp why there is no answer and the client no longer waits for one, as text for people:
 *     too old, refused, or unreadable. A tracker may still have received the request
 */
public record SavedJobOutcome(
    String nodeGroup,
    String taskId,
    @Nullable String submissionId,
    @Nullable Job job,
    Instant savedAt,
    @Nullable SubmitResult submitted,
    @Nullable CancelResult cancelled,
    @Nullable String givenUp) {

  static SavedJobOutcome of(OutboxOutcome outcome) {
    JobSubmission submission = outcome.submission();
    return new SavedJobOutcome(
        outcome.key().nodeGroup(),
        outcome.key().taskId(),
        submission == null ? null : submission.submissionId(),
        submission == null ? null : submission.job(),
        outcome.savedAt(),
        outcome.submitted(),
        outcome.cancelled(),
        outcome.givenUp());
  }

  /** Returns whether a tracker answered the request. */
  public boolean isAnswered() {
    return givenUp == null;
  }
}
