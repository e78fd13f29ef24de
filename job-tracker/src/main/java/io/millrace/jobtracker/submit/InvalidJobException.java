package io.millrace.jobtracker.submit;

import io.millrace.common.model.RejectReason;
import io.millrace.common.model.SubmitResult;
import org.jspecify.annotations.Nullable;

/** A job that is not stored because of what it says. */
final class InvalidJobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final RejectReason reason;
  private final String what;

  InvalidJobException(RejectReason reason, String message) {
    super(message);
    this.reason = reason;
    this.what = message;
  }

  /** For answers that have no place for the reason by itself. */
  String describe() {
    return reason + ": " + what;
  }

  SubmitResult resultFor(@Nullable String taskId) {
    return SubmitResult.rejected(taskId == null ? "" : taskId, reason, what);
  }
}
