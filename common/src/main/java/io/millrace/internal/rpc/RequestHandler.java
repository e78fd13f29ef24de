package io.millrace.internal.rpc;

import io.millrace.internal.protocol.Request;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Answers the requests of the other end. */
@FunctionalInterface
public interface RequestHandler {

  /**
   * Answers one request. Called on a network thread: must not block. If the stage fails with an
   * {@link RpcException}, the answer is an error with its code; with any other exception, INTERNAL.
   */
  <R> CompletionStage<R> handle(Session session, Request<R> request);

  /**
   * Addresses of the live trackers, sent in the reply to a ping; empty if this end is not a
   * tracker. Called on a network thread: must not block.
   */
  default List<String> trackers() {
    return List.of();
  }
}
