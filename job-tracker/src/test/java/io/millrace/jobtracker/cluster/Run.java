package io.millrace.jobtracker.cluster;

import io.millrace.tasktracker.JobContext;

/** One invocation that began, as its worker saw it. */
record Run(long executionId, String taskId, long plannedFor, int attempt, String workerId) {

  static Run of(JobContext context, String workerId) {
    return new Run(
        context.executionId(),
        context.taskId(),
        context.plannedFor().toEpochMilli(),
        context.attempt(),
        workerId);
  }

  String trigger() {
    return taskId + "@" + plannedFor;
  }
}
