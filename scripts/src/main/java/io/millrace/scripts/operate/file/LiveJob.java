package io.millrace.scripts.operate.file;

import io.millrace.api.Job;
import io.millrace.console.api.job.JobCondition;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.job.JobForm;
import io.millrace.console.api.job.JobOrigin;
import io.millrace.console.api.job.JobSettings;
import org.jspecify.annotations.Nullable;

/**
 * A job as it was read: a live one, or a recurring one that has finished.
 *
 * @param tag the entity tag of its version
 */
record LiveJob(JobDetail detail, String tag) {

  Key key() {
    return new Key(detail.nodeGroup(), detail.taskId());
  }

  /** Returns its definition. */
  Job job() {
    JobSettings settings = detail.settings();
    JobOrigin origin = detail.origin();
    JobForm form =
        new JobForm(
            settings.params(),
            settings.priority(),
            settings.handler(),
            settings.retry(),
            settings.timeout(),
            settings.overlap(),
            settings.misfire(),
            settings.relyOnPrevCycle(),
            settings.shards(),
            settings.broadcast(),
            settings.onWorkerLost(),
            settings.reduce(),
            settings.onPartFailure(),
            settings.within(),
            origin.traceParent(),
            origin.traceState(),
            settings.on(),
            settings.stickTo());
    return new FileJob(detail.nodeGroup(), detail.taskId(), detail.schedule(), form).toJob();
  }

  /** Returns the owner that declares it; null if it is not declared, or not any more. */
  @Nullable String owner() {
    JobDetail.Declared declared = detail.declared();
    return declared == null || declared.retiredAt() != null ? null : declared.owner();
  }

  /** Whether it is a one-shot that a worker runs. */
  boolean isExecuting() {
    return detail.state() == JobCondition.EXECUTING;
  }

  /** Whether it ended by itself: it has no fire time left. */
  boolean isFinished() {
    return detail.state() == JobCondition.FINISHED;
  }

  boolean isPaused() {
    return detail.state() == JobCondition.PAUSED;
  }
}
