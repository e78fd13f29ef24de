package io.millrace.jobclient.calls;

import io.millrace.common.rpc.RpcException;

/** A call without an answer. {@link JobCalls} makes the exception of the public API from it. */
final class CallFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean outcomeUnknown;

  CallFailedException(String message, boolean outcomeUnknown, Throwable cause) {
    super(message, cause);
    this.outcomeUnknown = outcomeUnknown;
  }

  /** Whether the request may have been carried out all the same. */
  boolean isOutcomeUnknown() {
    return outcomeUnknown;
  }

  /** Whether no tracker answered the call, rather than one refused it. */
  boolean isUnanswered() {
    return getCause() instanceof RpcException rpc && rpc.isRetryable();
  }
}
