package io.millrace.jobtracker.cluster;

import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.Request;
import io.millrace.common.rpc.RequestHandler;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.rpc.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Answers nothing. */
final class Nobody implements RequestHandler {
  @Override
  public <R> CompletionStage<R> handle(Session session, Request<R> request) {
    return CompletableFuture.failedFuture(new RpcException(ErrorCode.UNSUPPORTED, "a test"));
  }
}
