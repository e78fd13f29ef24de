package io.millrace.jobclient.submit;

import io.millrace.common.codec.CodecException;
import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.rpc.RpcException;
import java.util.concurrent.CompletionException;

/** Tells why a call failed. */
final class RpcFailures {
  private RpcFailures() {}

  /**
   * The failure of a call. A message that cannot be written counts as a BAD_REQUEST; what else is
   * not of the wire, as INTERNAL.
   */
  static RpcException of(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof RpcException rpc) {
      return rpc;
    }
    ErrorCode code = cause instanceof CodecException ? ErrorCode.BAD_REQUEST : ErrorCode.INTERNAL;
    return new RpcException(code, "the call failed: " + cause, cause);
  }
}
