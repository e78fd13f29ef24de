package io.millrace.jobclient.internal.request;

import io.millrace.internal.codec.CodecException;
import io.millrace.internal.lifecycle.Completions;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.RpcException;

/** Determines why a call failed. */
public final class RpcFailures {
  private RpcFailures() {}

  /**
   * Returns the failure of a call. A message that cannot be encoded counts as BAD_REQUEST. Any
   * other failure that is not an RpcException counts as INTERNAL.
   */
  public static RpcException of(Throwable failure) {
    Throwable cause = Completions.causeOf(failure);
    if (cause instanceof RpcException rpc) {
      return rpc;
    }
    ErrorCode code = cause instanceof CodecException ? ErrorCode.BAD_REQUEST : ErrorCode.INTERNAL;
    return new RpcException(code, "the call failed: " + cause, cause);
  }
}
