package io.millrace.jobclient.internal.request;

import io.millrace.api.Job;

/**
 * The key that identifies a job while it lives. The values are not checked here; the tracker checks
 * them.
 */
public record JobKey(String nodeGroup, String taskId) {

  public static JobKey of(Job job) {
    return new JobKey(job.nodeGroup(), job.taskId());
  }

  @Override
  public String toString() {
    return nodeGroup + "/" + taskId;
  }
}
