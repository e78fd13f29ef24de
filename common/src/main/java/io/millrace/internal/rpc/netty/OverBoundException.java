package io.millrace.internal.rpc.netty;

import io.millrace.internal.rpc.CutReason;

/** Tells a channel's connection to close because of the memory that it holds. */
final class OverBoundException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final CutReason reason;

  OverBoundException(CutReason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  CutReason reason() {
    return reason;
  }
}
