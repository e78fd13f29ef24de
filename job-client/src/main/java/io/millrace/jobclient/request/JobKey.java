package io.millrace.jobclient.request;

import io.millrace.common.model.Job;

/** What identifies a job while it lives. Nothing is checked here: the tracker judges. */
public record JobKey(String nodeGroup, String taskId) {

  public static JobKey of(Job job) {
    return new JobKey(job.nodeGroup(), job.taskId());
  }

  @Override
  public String toString() {
    return nodeGroup + "/" + taskId;
  }
}
