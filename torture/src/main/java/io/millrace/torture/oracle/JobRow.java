package io.millrace.torture.oracle;

/**
 * One row of {@code jt_job}.
 *
 * @param nodeGroup the job's node group
 * @param taskId the job's task id
 * @param version increases with every edit
 * @param state ACTIVE, PAUSED, FINISHED or CANCELLED
 * @param running the number of triggers that have their turn
 * @param queued the number of triggers that wait for their turn
 */
record JobRow(String nodeGroup, String taskId, int version, String state, int running, int queued) {

  /** Returns node group and task id. */
  String key() {
    return nodeGroup + "/" + taskId;
  }

  boolean isOver() {
    return state.equals("FINISHED") || state.equals("CANCELLED");
  }
}
