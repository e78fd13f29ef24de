package io.millrace.jobtracker.submit.job;

import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import org.jspecify.annotations.Nullable;

/** A job, or a part of a request, is rejected because its content is invalid. */
public final class InvalidJobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final RejectReason reason;
  private final String what;

  public InvalidJobException(RejectReason reason, String message) {
    super(message);
    this.reason = reason;
    this.what = message;
  }

  /** The reason and the message, for answers without a separate field for the reason. */
  public String describe() {
    return reason + ": " + what;
  }

  public SubmitResult resultFor(@Nullable String taskId) {
    return SubmitResult.rejected(taskId == null ? "" : taskId, reason, what);
  }
}
