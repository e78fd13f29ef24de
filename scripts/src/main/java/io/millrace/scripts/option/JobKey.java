package io.millrace.scripts.option;

import picocli.CommandLine.Parameters;

/** The node group and the task id of a job. The tracker checks their format. */
public final class JobKey {

  @Parameters(index = "0", paramLabel = "GROUP", description = "Node group that runs the job.")
  private String nodeGroup = "";

  @Parameters(
      index = "1",
      paramLabel = "TASKID",
      description = "Your id of the job, unique in the node group.")
  private String taskId = "";

  public String nodeGroup() {
    return nodeGroup;
  }

  public String taskId() {
    return taskId;
  }

  @Override
  public String toString() {
    return nodeGroup + "/" + taskId;
  }
}
