package io.millrace.torture.oracle;

/**
 * One row of {@code jt_job}.
 *
 * @param nodeGroup the job's node group
 * @param taskId the job's task id
 * @param version rises with every edit
 * @param state ACTIVE, PAUSED, FINISHED or CANCELLED
 * @param running triggers that have their turn
 * @param queued triggers that wait for their turn
 */
record JobRow(String nodeGroup, String taskId, int version, String state, int running, int queued) {

  /** Node group and task id. */
  String key() {
    return nodeGroup + "/" + taskId;
  }

  boolean isOver() {
    return state.equals("FINISHED") || state.equals("CANCELLED");
  }
}
