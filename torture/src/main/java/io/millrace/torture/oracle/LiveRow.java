package io.millrace.torture.oracle;

/**
 * A trigger that is not over, of {@code jt_executing} or of a waiting table.
 *
 * @param table which
 * @param id of the row; of what executes, the execution
 * @param nodeGroup the job's node group
 * @param taskId the job's task id
 * @param jobId the definition, or of a one-shot the submit
 * @param plannedAt with job id and ordinal, the trigger
 * @param ordinal 0 for what was scheduled
 * @param dueAt when it may begin
 * @param isExecuting whether a worker has it
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

  /** Node group and task id. */
  String key() {
    return nodeGroup + "/" + taskId;
  }

  LedgerEntry.Trigger trigger() {
    return new LedgerEntry.Trigger(jobId, plannedAt, ordinal);
  }
}
