package io.millrace.internal.rpc;

import io.millrace.internal.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;

/** Thrown when a request gets an error, or no reply. */
public final class RpcException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  public RpcException(ErrorCode code, String message) {
    this(code, message, null);
  }

  public RpcException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public ErrorCode code() {
    return code;
  }

  /** Whether the same request may be sent again later. */
  public boolean isRetryable() {
    return code == ErrorCode.UNAVAILABLE || code == ErrorCode.INTERNAL;
  }
}
