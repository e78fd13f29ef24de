package io.millrace.jobtracker.submit.job;

import io.millrace.api.Job;
import io.millrace.api.JobHandle;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.internal.protocol.JobEdit;
import io.millrace.internal.protocol.RelayEpoch;
import io.millrace.internal.rpc.Peer;
import io.millrace.jobtracker.domain.job.JobVersion.Author;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.store.KnownJobStore;
import org.jspecify.annotations.Nullable;

/**
 * A submitted job that has passed validation.
 *
 * @param job the job as submitted
 * @param spec the part of the job that the tracker stores with its triggers
 * @param params the job's parameters as JSON
 * @param submittedAt the time of the submit, by this tracker's clock, in epoch milliseconds; the
 *     fire times of the schedule are accounted for from then on
 * @param edit the edit of the live job; null if this submit is no edit
 * @param relay the attempt of the relay that has sent this submit; null if none has
 * @param client that has sent the submit
 * @param owner of the declaration that the job is a part of; null if it is part of none
 */
public record PendingSubmit(
    Job job,
    TriggerSpec spec,
    StoredParams params,
    long submittedAt,
    @Nullable JobEdit edit,
    @Nullable RelayEpoch relay,
    Peer client,
    @Nullable String owner) {

  public String taskId() {
    return job.taskId();
  }

  /** Under which the job is known if it was submitted before. */
  public KnownJobStore.Identity identity() {
    return new KnownJobStore.Identity(taskId(), spec.submissionId());
  }

  /** The same submit with another spec. */
  public PendingSubmit with(TriggerSpec other) {
    return new PendingSubmit(job, other, params, submittedAt, edit, relay, client, owner);
  }

  /** The same submit as an edit of the live job. */
  public PendingSubmit editing(JobEdit live) {
    return new PendingSubmit(job, spec, params, submittedAt, live, null, client, owner);
  }

  /** The same submit as a part of a declaration of this owner. */
  public PendingSubmit declaredBy(String declaring) {
    return new PendingSubmit(job, spec, params, submittedAt, edit, relay, client, declaring);
  }

  /** Who stores the version of a recurring job that this submit makes, or ends. */
  public Author author() {
    Author sender = NewVersions.authorOf(client);
    return owner == null ? sender : sender.declaring(owner);
  }

  /** Whether this submit may replace a live job. */
  public boolean replaces() {
    return edit != null || job.replaceExisting();
  }

  /**
   * The rejection of an edit that does not apply to the live job; null if it applies, or if this
   * submit is no edit.
   *
   * @param jobId the id of the live job
   * @param version the version of the live job; 0 for a one-shot
   */
  public @Nullable SubmitResult refusalOver(long jobId, int version) {
    if (edit == null) {
      return null;
    }
    if (edit.jobId() != null && edit.jobId() != jobId) {
      return changed("another job has this key now");
    }
    if (edit.version() != null && edit.version() != version) {
      return changed("it has version " + version);
    }
    return null;
  }

  /** The rejection of an edit if there is no live job; null if this submit is no edit. */
  public @Nullable SubmitResult refusalOverNothing() {
    return edit == null ? null : changed("it no longer exists");
  }

  /**
   * The answer if a live job has the task id.
   *
   * @param living of the live job; null if it is not known
   */
  public SubmitResult duplicateOf(@Nullable TriggerSpec living, String message) {
    SubmitResult duplicate = SubmitResult.duplicate(taskId(), message);
    return living == null
        ? duplicate
        : duplicate.withHandle(new JobHandle(job.nodeGroup(), taskId(), living.submissionId()));
  }

  private SubmitResult changed(String how) {
    String from = edit == null || edit.version() == null ? "" : " from version " + edit.version();
    return SubmitResult.rejected(
        taskId(),
        RejectReason.JOB_CHANGED,
        job.nodeGroup() + "/" + taskId() + " was edited" + from + ", and " + how);
  }
}
