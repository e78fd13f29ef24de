package io.millrace.jobtracker.submit;

import io.millrace.common.model.RejectReason;

/** A job that is not stored because of what it says. */
final class InvalidJobException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final RejectReason reason;

  InvalidJobException(RejectReason reason, String message) {
    super(message);
    this.reason = reason;
  }

  RejectReason reason() {
    return reason;
  }
}
