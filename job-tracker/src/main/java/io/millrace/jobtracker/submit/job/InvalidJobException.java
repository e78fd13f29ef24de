package io.millrace.jobtracker.submit.job;

import io.millrace.common.model.RejectReason;
import io.millrace.common.model.SubmitResult;
import org.jspecify.annotations.Nullable;

/** A job that is not stored because of what it says. */
public final class InvalidJobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final RejectReason reason;
  private final String what;

  public InvalidJobException(RejectReason reason, String message) {
    super(message);
    this.reason = reason;
    this.what = message;
  }

  /** For answers that have no place for the reason by itself. */
  public String describe() {
    return reason + ": " + what;
  }

  public SubmitResult resultFor(@Nullable String taskId) {
    return SubmitResult.rejected(taskId == null ? "" : taskId, reason, what);
  }
}
