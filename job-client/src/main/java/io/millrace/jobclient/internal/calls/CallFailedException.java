package io.millrace.jobclient.internal.calls;

import io.millrace.internal.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/**
 * A call ended without an answer. {@link PendingCall} converts it to the exception of the public
 * API.
 */
public final class CallFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean outcomeUnknown;

  CallFailedException(String message, boolean outcomeUnknown, @Nullable Throwable cause) {
    super(message, cause);
    this.outcomeUnknown = outcomeUnknown;
  }

  /** Returns whether a tracker may still have executed the request. */
  public boolean isOutcomeUnknown() {
    return outcomeUnknown;
  }

  /** Returns whether no tracker answered the call. If false, a tracker refused it. */
  boolean isUnanswered() {
    return getCause() instanceof RpcException rpc && rpc.isRetryable();
  }
}
