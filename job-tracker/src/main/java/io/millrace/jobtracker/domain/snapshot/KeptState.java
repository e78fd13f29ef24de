package io.millrace.jobtracker.domain.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * How far a trigger has come that runs, waits for its next attempt, or is dead.
 *
 * @param id of the row of the trigger: of its execution, of the waiting row, or of its end
 * @param steps number of the steps of its run that are done
 * @param lastStep name of the last one; null if there is none
 * @param lastStepAt when that one was stored, in epoch milliseconds
 * @param checkpointAt when the last checkpoint was stored, in epoch milliseconds; null if there is
 *     none
 * @param progress what its execution says; null if it says nothing, or does not run
 */
public record KeptState(
    long id,
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
