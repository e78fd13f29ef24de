package io.millrace.jobtracker.domain.batch;

import io.millrace.api.PartFailurePolicy;

/**
 * How far a batch is: what decides whether there is something to do with it. Immutable.
 *
 * @param counts of its parts
 * @param stopsAtFailure whether a failed part stops it; false if it is stopping already
 */
public record BatchProgress(PartCounts counts, boolean stopsAtFailure) {

  /** The progress of a batch in this state and with this policy. */
  public static BatchProgress of(PartCounts counts, BatchState state, PartFailurePolicy policy) {
    return new BatchProgress(counts, state == BatchState.OPEN && policy == PartFailurePolicy.STOP);
  }

  /** Whether a part has failed that stops it. */
  public boolean isToStop() {
    return stopsAtFailure && counts.failures() > 0;
  }
}
