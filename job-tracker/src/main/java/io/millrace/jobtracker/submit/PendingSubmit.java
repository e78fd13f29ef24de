package io.millrace.jobtracker.submit;

import io.millrace.common.model.Job;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;

/**
 * A submitted job that has been found valid.
 *
 * @param job as submitted
 * @param spec what the tracker keeps of it
 * @param params its parameters as JSON
 */
record PendingSubmit(Job job, TriggerSpec spec, StoredParams params) {

  String taskId() {
    return job.taskId();
  }
}
