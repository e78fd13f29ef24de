package io.millrace.jobclient.submit;

import io.millrace.common.protocol.SubmitRequest;
import java.time.Duration;

/**
 * Bounds of what the client sends and holds.
 *
 * @param jobsPerRequest most jobs in one request
 * @param bytesPerRequest bytes after which a request takes no further job; a larger job goes alone
 * @param bytesPerJob bytes above which a job is refused here, because no frame can carry it
 * @param jobsInFlight most jobs taken and not yet answered
 * @param bytesInFlight most bytes of jobs taken and not yet answered
 * @param requestsInFlight most requests under way
 * @param requestTimeout how long a job may take from the call to its answer, resends included
 * @param attemptTimeout how long one request may take before its jobs are sent again
 */
public record SubmitBounds(
    int jobsPerRequest,
    long bytesPerRequest,
    long bytesPerJob,
    int jobsInFlight,
    long bytesInFlight,
    int requestsInFlight,
    Duration requestTimeout,
    Duration attemptTimeout) {

  private static final long MIB = 1 << 20;
  private static final Duration SHORTEST_ATTEMPT = Duration.ofSeconds(1);

  public SubmitBounds {
    if (jobsPerRequest < 1 || jobsPerRequest > SubmitRequest.MAX_JOBS) {
      throw new IllegalArgumentException(
          "jobsPerRequest is " + jobsPerRequest + ", not 1 to " + SubmitRequest.MAX_JOBS);
    }
    if (jobsInFlight < 1) {
      throw new IllegalArgumentException("maxJobsInFlight is " + jobsInFlight + ", not 1 or more");
    }
    if (requestTimeout.isNegative() || requestTimeout.isZero()) {
      throw new IllegalArgumentException(
          "requestTimeout is " + requestTimeout + ", not longer than zero");
    }
  }

  /** The bounds of a client with this time-out and this many jobs in flight. */
  public static SubmitBounds of(Duration requestTimeout, int jobsInFlight) {
    return new SubmitBounds(
        SubmitRequest.MAX_JOBS,
        MIB,
        7 * MIB,
        jobsInFlight,
        64 * MIB,
        4,
        requestTimeout,
        attemptTimeout(requestTimeout));
  }

  /** A third, so that a tracker that hangs leaves time to ask another. */
  private static Duration attemptTimeout(Duration requestTimeout) {
    Duration third = requestTimeout.dividedBy(3);
    return third.compareTo(SHORTEST_ATTEMPT) < 0 ? SHORTEST_ATTEMPT : third;
  }
}
