package io.millrace.jobclient.submit;

import io.millrace.common.protocol.SubmitRequest;

/**
 * Bounds of what the client sends and holds.
 *
 * @param jobsPerRequest most jobs in one request
 * @param bytesPerRequest bytes after which a request takes no further job; a larger job goes alone
 * @param bytesPerJob bytes above which a job is refused here, because no frame can carry it
 * @param jobsInFlight most jobs taken and not yet answered
 * @param bytesInFlight most bytes of jobs taken and not yet answered
 * @param requestsInFlight most requests under way
 */
public record SubmitBounds(
    int jobsPerRequest,
    long bytesPerRequest,
    long bytesPerJob,
    int jobsInFlight,
    long bytesInFlight,
    int requestsInFlight) {

  private static final long MIB = 1 << 20;

  public SubmitBounds {
    if (jobsPerRequest < 1 || jobsPerRequest > SubmitRequest.MAX_JOBS) {
      throw new IllegalArgumentException(
          "jobsPerRequest is " + jobsPerRequest + ", not 1 to " + SubmitRequest.MAX_JOBS);
    }
    if (jobsInFlight < 1) {
      throw new IllegalArgumentException("maxJobsInFlight is " + jobsInFlight + ", not 1 or more");
    }
  }

  /** The bounds of a client with this many jobs in flight. */
  public static SubmitBounds of(int jobsInFlight) {
    return new SubmitBounds(SubmitRequest.MAX_JOBS, MIB, 7 * MIB, jobsInFlight, 64 * MIB, 4);
  }
}
