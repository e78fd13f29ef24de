package io.millrace.common.model;

import org.jspecify.annotations.Nullable;

/**
 * The answer to one submitted job.
 *
 * @param taskId the job's task id
 * @param status what became of it
 * @param reason set if and only if it was rejected
 * @param message for a person: what was wrong and where, or why it is a duplicate
 */
public record SubmitResult(
    String taskId, SubmitStatus status, @Nullable RejectReason reason, @Nullable String message) {

  public SubmitResult {
    status = status == null ? SubmitStatus.UNKNOWN : status;
  }

  /** The job is stored. */
  public static SubmitResult accepted(String taskId) {
    return new SubmitResult(taskId, SubmitStatus.ACCEPTED, null, null);
  }

  /** The job is stored in the place of the one that lived under its key. */
  public static SubmitResult replaced(String taskId) {
    return new SubmitResult(taskId, SubmitStatus.REPLACED, null, null);
  }

  /** A job of the key lives; the message says where, or why it cannot be replaced. */
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

  /** Whether a tracker has stored the job of this submit: accepted or put in place of another. */
  public boolean isStored() {
    return status == SubmitStatus.ACCEPTED || status == SubmitStatus.REPLACED;
  }
}
