package io.millrace.jobtracker.submit.job;

import io.millrace.common.model.Job;
import io.millrace.common.model.RejectReason;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.protocol.JobEdit;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import org.jspecify.annotations.Nullable;

/**
 * A submitted job that has been found valid.
 *
 * @param job as submitted
 * @param spec what the tracker keeps of it
 * @param params its parameters as JSON
 * @param submittedAt when it was submitted, by this tracker's clock, in epoch milliseconds: what
 *     its schedule has from then on is accounted for
 * @param edit set if the job that lives is edited
 */
public record PendingSubmit(
    Job job, TriggerSpec spec, StoredParams params, long submittedAt, @Nullable JobEdit edit) {

  public String taskId() {
    return job.taskId();
  }

  /** Whether it takes the place of a job that lives. */
  public boolean replaces() {
    return edit != null || job.replaceExisting();
  }

  /**
   * Why an edit does not apply to the job that lives; null if it does, or if this is no edit.
   *
   * @param jobId of the job that lives
   * @param version of it; 0 for a one-shot
   */
  public @Nullable SubmitResult refusalOver(long jobId, int version) {
    if (edit == null) {
      return null;
    }
    if (edit.jobId() != null && edit.jobId() != jobId) {
      return changed("another job is there by now");
    }
    if (edit.version() != null && edit.version() != version) {
      return changed("it is at version " + version);
    }
    return null;
  }

  /** The same where no job lives. */
  public @Nullable SubmitResult refusalOverNothing() {
    return edit == null ? null : changed("it does not live any more");
  }

  private SubmitResult changed(String how) {
    String from = edit == null || edit.version() == null ? "" : " from version " + edit.version();
    return SubmitResult.rejected(
        taskId(),
        RejectReason.JOB_CHANGED,
        job.nodeGroup() + "/" + taskId() + " was edited" + from + ", and " + how);
  }
}
