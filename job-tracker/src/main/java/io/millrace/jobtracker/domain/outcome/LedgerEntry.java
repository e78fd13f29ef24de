package io.millrace.jobtracker.domain.outcome;

import io.millrace.jobtracker.domain.trigger.TriggerKey;
import org.jspecify.annotations.Nullable;

/**
 * One row of the ledger ({@code jt_history}): the end of one execution, or of a trigger that never
 * ran, or of a run of planned instants that never ran. Times are epoch milliseconds.
 *
 * @param id the execution's id, so that the row prevents a second end of the same execution; if
 *     there was no execution, an id of its own
 * @param nodeGroup the job's node group
 * @param key identity of the trigger; of a run of instants, its first
 * @param jobId as on the waiting row
 * @param jobVersion as on the waiting row
 * @param status how it ended
 * @param reported whether the worker's report ended it, rather than the tracker
 * @param cause why, if the status alone does not explain it; otherwise null
 * @param attempt number of the attempt; of a trigger that ended while it waited, the number of its
 *     attempts before; 0 if it never ran
 * @param plannedFor the instant that it was planned for
 * @param plannedTo last instant of a run of instants; otherwise equal to plannedFor
 * @param instants how many planned instants the row stands for
 * @param dueAt when the attempt could start at the earliest
 * @param generatedAt when the trigger was first written
 * @param claimedAt null if never claimed
 * @param startedAt by the worker's clock; null if it never started or the worker did not say
 * @param finishedAt when the end was recorded, by the tracker's clock
 * @param workerId null if never claimed
 * @param handler name of the runner
 * @param message text from the worker
 * @param submissionId the client's id of the submit
 * @param submittedBy node id of the client
 * @param traceParent of the trace that the job is part of; null if none
 * @param replayOf of a replay, the id of the ledger row of the dead trigger; otherwise null
 */
public record LedgerEntry(
    long id,
    String nodeGroup,
    TriggerKey key,
    long jobId,
    int jobVersion,
    LedgerStatus status,
    boolean reported,
    @Nullable Cause cause,
    int attempt,
    long plannedFor,
    long plannedTo,
    long instants,
    long dueAt,
    long generatedAt,
    @Nullable Long claimedAt,
    @Nullable Long startedAt,
    long finishedAt,
    @Nullable String workerId,
    @Nullable String handler,
    @Nullable String message,
    @Nullable String submissionId,
    @Nullable String submittedBy,
    @Nullable String traceParent,
    @Nullable Long replayOf) {

  /** Creates a row of a job without a trace that is no replay. */
  public LedgerEntry(
      long id,
      String nodeGroup,
      TriggerKey key,
      long jobId,
      int jobVersion,
      LedgerStatus status,
      boolean reported,
      @Nullable Cause cause,
      int attempt,
      long plannedFor,
      long plannedTo,
      long instants,
      long dueAt,
      long generatedAt,
      @Nullable Long claimedAt,
      @Nullable Long startedAt,
      long finishedAt,
      @Nullable String workerId,
      @Nullable String handler,
      @Nullable String message,
      @Nullable String submissionId,
      @Nullable String submittedBy) {
    this(
        id,
        nodeGroup,
        key,
        jobId,
        jobVersion,
        status,
        reported,
        cause,
        attempt,
        plannedFor,
        plannedTo,
        instants,
        dueAt,
        generatedAt,
        claimedAt,
        startedAt,
        finishedAt,
        workerId,
        handler,
        message,
        submissionId,
        submittedBy,
        null,
        null);
  }
}
