package io.millrace.torture.oracle;

import org.jspecify.annotations.Nullable;

/**
 * The columns of a {@code jt_dead} row that the oracle uses.
 *
 * @param id the last execution of the dead trigger
 * @param jobId the definition, or for a one-shot job the submit
 * @param jobVersion the version of the definition; 0 for a one-shot job
 * @param plannedAt identifies the trigger, together with job id and ordinal
 * @param ordinal 0 for scheduled triggers
 * @param state whether it was replayed
 * @param replayId the first waiting row of its replay; null if there is none
 * @param replayOrdinal the ordinal of its replay; null if there is none
 */
record DeadRow(
    long id,
    long jobId,
    int jobVersion,
    long plannedAt,
    int ordinal,
    String state,
    @Nullable Long replayId,
    @Nullable Integer replayOrdinal) {

  LedgerEntry.Trigger trigger() {
    return new LedgerEntry.Trigger(jobId, plannedAt, ordinal);
  }

  /**
   * Returns the trigger that replays it, or null. The replay of a one-shot is a job of its own;
   * that of a recurring job is a further trigger of the job.
   */
  LedgerEntry.@Nullable Trigger replay() {
    if (replayId == null || replayOrdinal == null) {
      return null;
    }
    return new LedgerEntry.Trigger(jobVersion == 0 ? replayId : jobId, plannedAt, replayOrdinal);
  }
}
