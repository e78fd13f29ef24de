package io.millrace.jobclient.internal.calls;

import io.millrace.internal.rpc.RpcException;

/**
 * A call ended without an answer. {@link JobCalls} converts it to the exception of the public API.
 */
final class CallFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean outcomeUnknown;

  CallFailedException(String message, boolean outcomeUnknown, Throwable cause) {
    super(message, cause);
    this.outcomeUnknown = outcomeUnknown;
  }

  /** Returns whether a tracker may still have executed the request. */
  boolean isOutcomeUnknown() {
    return outcomeUnknown;
  }

  /** Returns whether no tracker answered the call. If false, a tracker refused it. */
  boolean isUnanswered() {
    return getCause() instanceof RpcException rpc && rpc.isRetryable();
  }
}
