package io.millrace.scripts.operate;

import io.millrace.api.Job;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.TraceContext;
import io.millrace.console.api.job.JobForm;
import io.millrace.console.api.job.JobSchedule;
import io.millrace.console.api.job.NewJob;
import io.millrace.console.api.job.OverlapRule;

/** Converts jobs to the form of the API. */
final class NewJobs {
  private NewJobs() {}

  /** Converts a job. Leaves out the feedback recipient, which operators cannot set. */
  static NewJob of(Job job) {
    TraceContext trace = job.trace();
    OverlapPolicy overlap = job.overlap();
    return new NewJob(
        job.nodeGroup(),
        job.taskId(),
        JobSchedule.of(job.schedule()),
        new JobForm(
            job.params(),
            job.priority(),
            job.handler(),
            job.retry(),
            job.timeout(),
            overlap == null ? null : OverlapRule.of(overlap),
            job.misfire(),
            job.relyOnPrevCycle(),
            job.shards(),
            job.broadcast(),
            job.onWorkerLost(),
            job.reduce(),
            job.onPartFailure(),
            job.within(),
            trace == null ? null : trace.traceParent(),
            trace == null ? null : trace.traceState(),
            job.requires(),
            job.stickTo()),
        job.replaceExisting(),
        null);
  }
}
