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
 * @param taskId the task id of the job
 * @param submit what was submitted; null if the request was a cancel or can no longer be read
 * @param savedAt when the request was saved
 * @param submitted the tracker's answer to a submit
 * @param cancelled the tracker's answer to a cancel
 * @param givenUp why there is no answer and the client no longer waits for one, as text for people:
 *     too old, refused, or unreadable. A tracker may still have received the request
 */
public record SavedJobOutcome(
    String nodeGroup,
    String taskId,
    @Nullable Submit submit,
    Instant savedAt,
    @Nullable SubmitResult submitted,
    @Nullable CancelResult cancelled,
    @Nullable String givenUp) {

  /**
   * A saved submit.
   *
   * @param submissionId the same on every resend
   * @param job the job
   */
  public record Submit(String submissionId, Job job) {}

  static SavedJobOutcome of(OutboxOutcome outcome) {
    JobSubmission submission = outcome.submission();
    return new SavedJobOutcome(
        outcome.key().nodeGroup(),
        outcome.key().taskId(),
        submission == null ? null : new Submit(submission.submissionId(), submission.job()),
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
