package io.millrace.jobclient.internal.submit;

import io.millrace.internal.config.Bounds;
import io.millrace.internal.protocol.SubmitRequest;

/**
 * The bounds of what the client sends and holds in memory.
 *
 * @param jobsPerRequest maximum number of jobs in one request
 * @param bytesPerRequest maximum bytes of the jobs in one request; a larger job is sent alone
 * @param bytesPerJob maximum bytes of one job; a larger job is rejected by the client, because no
 *     frame can carry it
 * @param jobsInFlight maximum number of jobs accepted and not yet answered
 * @param bytesInFlight maximum bytes of jobs accepted and not yet answered
 * @param requestsInFlight maximum number of requests under way
 */
public record SubmitBounds(
    int jobsPerRequest,
    long bytesPerRequest,
    long bytesPerJob,
    int jobsInFlight,
    long bytesInFlight,
    int requestsInFlight) {

  private static final long MIB = 1 << 20;

  /** The largest job that a frame can carry, by its estimated size. */
  static final long MAX_JOB_BYTES = 7 * MIB;

  public SubmitBounds {
    Bounds.between(1, SubmitRequest.MAX_JOBS).check("jobsPerRequest", jobsPerRequest);
    Bounds.atLeast(1).check("maxJobsInFlight", jobsInFlight);
  }

  /** Returns the bounds of a client with this maximum number of jobs in flight. */
  public static SubmitBounds of(int jobsInFlight) {
    return new SubmitBounds(SubmitRequest.MAX_JOBS, MIB, MAX_JOB_BYTES, jobsInFlight, 64 * MIB, 4);
  }
}
