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
 * @param submittedAt when it was submitted, by this tracker's clock, in epoch milliseconds: what
 *     its schedule has from then on is accounted for
 */
record PendingSubmit(Job job, TriggerSpec spec, StoredParams params, long submittedAt) {

  String taskId() {
    return job.taskId();
  }
}
