package io.millrace.jobtracker.domain.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * How far an execution has come.
 *
 * @param steps number of the steps of its run that are done
 * @param lastStep name of the last one; null if there is none
 * @param lastStepAt when that one was stored, in epoch milliseconds
 * @param checkpointAt when the last checkpoint was stored, in epoch milliseconds; null if there is
 *     none
 * @param progress what the execution itself says; null if it says nothing
 */
public record KeptState(
    long executionId,
    int steps,
    @Nullable String lastStep,
    long lastStepAt,
    @Nullable Long checkpointAt,
    @Nullable Progress progress) {

  /**
   * What an execution says of its progress.
   *
   * @param total 0 if it is unknown
   */
  public record Progress(long done, long total) {}
}
