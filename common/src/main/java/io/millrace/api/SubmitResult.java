package io.millrace.api;

import org.jspecify.annotations.Nullable;

/**
 * The answer to one submitted job.
 *
 * @param taskId the job's task id
 * @param status what happened to the job
 * @param reason set if and only if the job was rejected
 * @param message for a person: what was wrong and where, or why it is a duplicate
 * @param handle names this submit, to ask for its status or to await its end; of a duplicate, the
 *     submit that the live job came by, if the tracker says it; null if the job was rejected
 */
public record SubmitResult(
    String taskId,
    SubmitStatus status,
    @Nullable RejectReason reason,
    @Nullable String message,
    @Nullable JobHandle handle) {

  public SubmitResult {
    status = status == null ? SubmitStatus.UNKNOWN : status;
  }

  /** Makes a result without a handle. */
  public SubmitResult(
      String taskId, SubmitStatus status, @Nullable RejectReason reason, @Nullable String message) {
    this(taskId, status, reason, message, null);
  }

  /** The job is stored. */
  public static SubmitResult accepted(String taskId) {
    return new SubmitResult(taskId, SubmitStatus.ACCEPTED, null, null);
  }

  /** The job is stored and replaces the live job with its key. */
  public static SubmitResult replaced(String taskId) {
    return new SubmitResult(taskId, SubmitStatus.REPLACED, null, null);
  }

  /** A live job has the key; the message says where, or why it cannot be replaced. */
  public static SubmitResult duplicate(String taskId, String message) {
    return new SubmitResult(taskId, SubmitStatus.DUPLICATE, null, message);
  }

  /** The job is not stored; the message names what is wrong and where. */
  public static SubmitResult rejected(String taskId, RejectReason reason, String message) {
    return new SubmitResult(taskId, SubmitStatus.REJECTED, reason, message);
  }

  /** The job is in the client's outbox until a tracker answers; the message says why and where. */
  public static SubmitResult savedLocally(String taskId, String message) {
    return new SubmitResult(taskId, SubmitStatus.SAVED_LOCALLY, null, message);
  }

  /** Whether a tracker has stored the job of this submit: accepted, or as a replacement. */
  public boolean isStored() {
    return status == SubmitStatus.ACCEPTED || status == SubmitStatus.REPLACED;
  }

  /** The same result with this handle. */
  public SubmitResult withHandle(JobHandle of) {
    return new SubmitResult(taskId, status, reason, message, of);
  }
}
