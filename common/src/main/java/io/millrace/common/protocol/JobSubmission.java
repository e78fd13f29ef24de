package io.millrace.common.protocol;

import io.millrace.common.model.Job;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One job of a submit.
 *
 * @param submissionId minted by the client, the same on every resend; one that is known already is
 *     answered from the record and stores nothing
 * @param job the job
 * @param submittedAt of a recurring job, when the client was asked to submit it, by the client's
 *     clock: counts only together with {@link SubmitRequest#sentAt}; empty means just now
 * @param edit set if the job that lives is edited; null for a submit
 */
public record JobSubmission(
    String submissionId, Job job, @Nullable Instant submittedAt, @Nullable JobEdit edit) {

  /** A job that is submitted now. */
  public JobSubmission(String submissionId, Job job) {
    this(submissionId, job, null, null);
  }

  /** A job that was submitted at this instant. */
  public JobSubmission(String submissionId, Job job, @Nullable Instant submittedAt) {
    this(submissionId, job, submittedAt, null);
  }
}
