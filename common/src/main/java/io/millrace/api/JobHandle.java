package io.millrace.api;

import java.util.Objects;

/**
 * Names one submit of a job, or one run now, for good: the task id may be used again once the job
 * has ended, and the handle still names the first job. An application may store the three values
 * and make the handle again from them. Immutable.
 *
 * @param nodeGroup the job's node group
 * @param taskId the job's task id
 * @param submissionId the id of the submit, which the client generated; at most 40 characters
 */
public record JobHandle(String nodeGroup, String taskId, String submissionId) {

  public JobHandle {
    Objects.requireNonNull(nodeGroup, "nodeGroup");
    Objects.requireNonNull(taskId, "taskId");
    Objects.requireNonNull(submissionId, "submissionId");
  }

  @Override
  public String toString() {
    return nodeGroup + "/" + taskId + " (submission " + submissionId + ")";
  }
}
