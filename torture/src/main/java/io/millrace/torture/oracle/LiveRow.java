package io.millrace.torture.oracle;

/**
 * A trigger that has not ended: a row of {@code jt_executing}, of {@code jt_batch} or of a waiting
 * table.
 *
 * @param table the name of the table
 * @param id the id of the row; for an executing trigger, the execution
 * @param nodeGroup the job's node group
 * @param taskId the job's task id
 * @param jobId the definition, or for a one-shot job the submit
 * @param plannedAt identifies the trigger, together with job id and ordinal
 * @param ordinal 0 for scheduled triggers
 * @param dueAt the earliest start
 * @param isExecuting whether a worker executes it
 */
record LiveRow(
    String table,
    long id,
    String nodeGroup,
    String taskId,
    long jobId,
    long plannedAt,
    int ordinal,
    long dueAt,
    boolean isExecuting) {

  /** Returns node group and task id. */
  String key() {
    return nodeGroup + "/" + taskId;
  }

  LedgerEntry.Trigger trigger() {
    return new LedgerEntry.Trigger(jobId, plannedAt, ordinal);
  }
}
