package io.millrace.jobclient.request;

import io.millrace.common.codec.CodecException;
import io.millrace.common.lifecycle.Completions;
import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.rpc.RpcException;

/** Tells why a call failed. */
public final class RpcFailures {
  private RpcFailures() {}

  /**
   * The failure of a call. A message that cannot be encoded counts as BAD_REQUEST; any other
   * failure that is no RpcException, as INTERNAL.
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
