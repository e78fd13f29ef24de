package io.millrace.jobtracker.submit;

import io.millrace.api.DeclareResult.Change;
import io.millrace.api.DeclareResult.JobResult;
import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.jobtracker.domain.job.DeclaredDefinition;
import io.millrace.jobtracker.submit.job.PendingSubmit;
import org.jspecify.annotations.Nullable;

/**
 * A job of a declaration, after validation. Exactly one of the last two components is set.
 *
 * @param job as it came
 * @param definition in the form in which declarations are compared
 * @param pending ready to be stored
 * @param rejection the answer to an invalid job
 */
record DeclaredEntry(
    Job job,
    DeclaredDefinition definition,
    @Nullable PendingSubmit pending,
    @Nullable JobResult rejection) {

  String taskId() {
    return job.taskId();
  }

  /** The entry with another submit of its job. */
  DeclaredEntry with(PendingSubmit other) {
    return new DeclaredEntry(job, definition, other, rejection);
  }

  /** The entry with a rejection instead of the job that could be stored. */
  DeclaredEntry rejected(RejectReason reason, String message) {
    return new DeclaredEntry(job, definition, null, result(job, Change.REJECTED, reason, message));
  }

  JobResult result(Change change, @Nullable String message) {
    return result(job, change, null, message);
  }

  static JobResult result(
      Job job, Change change, @Nullable RejectReason reason, @Nullable String message) {
    return new JobResult(job.nodeGroup(), job.taskId(), change, reason, message);
  }
}
