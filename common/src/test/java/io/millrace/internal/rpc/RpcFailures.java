package io.millrace.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.netty.NettyNodes;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.AbstractThrowableAssert;

/** Asserts how calls fail. */
public final class RpcFailures {

  private RpcFailures() {}

  /** Waits for the call, which must fail with this code. */
  public static AbstractThrowableAssert<?, ?> assertFails(
      CompletableFuture<?> call, ErrorCode code) {
    return assertThatThrownBy(() -> NettyNodes.get(call))
        .cause()
        .isInstanceOf(RpcException.class)
        .satisfies(failure -> assertThat(((RpcException) failure).code()).isEqualTo(code));
  }
}
