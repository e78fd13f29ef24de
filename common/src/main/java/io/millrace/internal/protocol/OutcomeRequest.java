package io.millrace.internal.protocol;

import io.millrace.api.JobHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks which of these one-shots and runs have ended. Changes nothing.
 *
 * @param jobs 1 to {@value #MAX_JOBS} submits
 * @param waitMillis how long the tracker may wait for the first end, in milliseconds, at most
 *     {@value #MAX_WAIT_MILLIS}; null means not at all
 */
public record OutcomeRequest(List<JobHandle> jobs, @Nullable Long waitMillis)
    implements Request<OutcomeReply> {
  public static final int MAX_JOBS = 64;
  public static final long MAX_WAIT_MILLIS = 10_000;

  public OutcomeRequest {
    jobs = List.copyOf(jobs);
  }
}
