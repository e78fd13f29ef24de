package io.millrace.common.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores jobs. Each is judged alone.
 *
 * @param submissions 1 to {@value #MAX_JOBS} jobs
 * @param sentAt when the client sent this request, by the clock that {@link
 *     JobSubmission#submittedAt} is of; empty if there is none
 */
public record SubmitRequest(List<JobSubmission> submissions, @Nullable Instant sentAt)
    implements Request<SubmitReply> {
  public static final int MAX_JOBS = 1_000;

  public SubmitRequest {
    submissions = List.copyOf(submissions);
  }

  /** Of jobs that are submitted now. */
  public SubmitRequest(List<JobSubmission> submissions) {
    this(submissions, null);
  }

  /** How long a job has waited to be sent; never less than zero, even if the clock was set back. */
  public Duration waited(JobSubmission submission) {
    if (sentAt == null || submission.submittedAt() == null) {
      return Duration.ZERO;
    }
    Duration waited = Duration.between(submission.submittedAt(), sentAt);
    return waited.isNegative() ? Duration.ZERO : waited;
  }
}
