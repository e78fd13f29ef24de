package io.millrace.torture.oracle;

import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a {@code jt_history} row that the oracle uses. Times are epoch milliseconds.
 *
 * @param id the execution; for a trigger that never ran, an id of its own
 * @param nodeGroup the job's node group
 * @param taskId the job's task id
 * @param plannedAt identifies the trigger, together with job id and ordinal
 * @param ordinal 0 for scheduled triggers
 * @param jobId the definition, or for a one-shot job the submit
 * @param jobVersion the version of the definition; 0 for a one-shot job
 * @param status how it ended
 * @param reported whether its worker reported the end
 * @param cause the encoded cause, if the status alone does not explain the end
 * @param attempt the number of the attempt, from 1; 0 if it never ran
 * @param plannedFor the planned instant
 * @param plannedTo the last of several instants
 * @param instants the number of instants
 * @param dueAt the earliest start of the attempt
 * @param claimedAt when it was claimed; null if never
 * @param finishedAt when the end was recorded
 * @param workerId the worker; null if it was never claimed
 * @param replayOf the dead trigger that it replays, by its row; null if it is no replay
 */
record LedgerEntry(
    long id,
    String nodeGroup,
    String taskId,
    long plannedAt,
    int ordinal,
    long jobId,
    int jobVersion,
    LedgerStatus status,
    boolean reported,
    @Nullable String cause,
    int attempt,
    long plannedFor,
    long plannedTo,
    long instants,
    long dueAt,
    @Nullable Long claimedAt,
    long finishedAt,
    @Nullable String workerId,
    @Nullable Long replayOf) {

  /** The identity of a trigger. */
  record Trigger(long jobId, long plannedAt, int ordinal) {}

  Trigger trigger() {
    return new Trigger(jobId, plannedAt, ordinal);
  }

  /** Returns node group and task id. */
  String key() {
    return nodeGroup + "/" + taskId;
  }

  /** Returns the batch whose part this is, which is the id of the run that was split; or null. */
  @Nullable Long batch() {
    return taskId.startsWith("#") ? jobId : null;
  }

  boolean isExecution() {
    return claimedAt != null;
  }

  boolean isFinal() {
    return status.isFinal();
  }

  /** Returns whether this is the first cause. */
  boolean isCausedBy(CauseCode code) {
    return cause != null && Cause.decode(cause).code() == code;
  }
}
