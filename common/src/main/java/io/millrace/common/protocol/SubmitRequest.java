package io.millrace.common.protocol;

import java.util.List;

/**
 * Stores jobs. Each is judged alone.
 *
 * @param submissions 1 to {@value #MAX_JOBS} jobs
 */
public record SubmitRequest(List<JobSubmission> submissions) implements Request<SubmitReply> {
  public static final int MAX_JOBS = 1_000;

  public SubmitRequest {
    submissions = List.copyOf(submissions);
  }
}
