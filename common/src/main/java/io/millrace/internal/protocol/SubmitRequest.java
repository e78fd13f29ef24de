package io.millrace.internal.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores jobs. Each job is checked separately.
 *
 * @param submissions 1 to {@value #MAX_JOBS} jobs
 * @param sentAt when the client sent this request, by the same clock as {@link
 *     JobSubmission#submittedAt}; null if no job has that
 */
public record SubmitRequest(List<JobSubmission> submissions, @Nullable Instant sentAt)
    implements Request<SubmitReply> {
  public static final int MAX_JOBS = 1_000;

  public SubmitRequest {
    submissions = List.copyOf(submissions);
  }

  /** A request of jobs that are submitted now. */
  public SubmitRequest(List<JobSubmission> submissions) {
    this(submissions, null);
  }

  /**
   * How long a job waited in the client before it was sent; never negative, even if the clock was
   * set back.
   */
  public Duration waited(JobSubmission submission) {
    if (sentAt == null || submission.submittedAt() == null) {
      return Duration.ZERO;
    }
    Duration waited = Duration.between(submission.submittedAt(), sentAt);
    return waited.isNegative() ? Duration.ZERO : waited;
  }
}
