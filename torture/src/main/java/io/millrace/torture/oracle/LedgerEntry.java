package io.millrace.torture.oracle;

import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import org.jspecify.annotations.Nullable;

/**
 * One row of {@code jt_history}, as far as the oracle asks. Times are epoch milliseconds.
 *
 * @param id the execution; of what never ran, an id of its own
 * @param nodeGroup the job's node group
 * @param taskId the job's task id
 * @param plannedAt with job id and ordinal, the trigger
 * @param ordinal 0 for what was scheduled
 * @param jobId the definition, or of a one-shot the submit
 * @param jobVersion of the definition; 0 of a one-shot
 * @param status how it ended
 * @param reported whether its worker said so
 * @param cause why, where the status does not say it all
 * @param attempt from 1; 0 if it never ran
 * @param plannedFor the instant
 * @param plannedTo the last instant of several
 * @param instants how many instants
 * @param dueAt when the attempt might begin
 * @param claimedAt null if it never was
 * @param finishedAt when the end was recorded
 * @param workerId null if it was never claimed
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
    @Nullable String workerId) {

  /** Identity of a trigger. */
  record Trigger(long jobId, long plannedAt, int ordinal) {}

  Trigger trigger() {
    return new Trigger(jobId, plannedAt, ordinal);
  }

  /** Node group and task id. */
  String key() {
    return nodeGroup + "/" + taskId;
  }

  boolean isExecution() {
    return claimedAt != null;
  }

  boolean isFinal() {
    return status.isFinal();
  }

  /** Whether the cause begins so. */
  boolean isCausedBy(String beginning) {
    return cause != null && cause.startsWith(beginning);
  }
}
