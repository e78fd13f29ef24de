package io.millrace.common.rpc;

import io.millrace.common.protocol.Request;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Answers the requests of the other end. */
@FunctionalInterface
public interface RequestHandler {

  /**
   * Answers one request. Called on a network thread: must not block. A stage that fails with an
   * {@link RpcException} is answered with its code; with anything else, INTERNAL.
   */
  <R> CompletionStage<R> handle(Session session, Request<R> request);

  /**
   * Addresses of the trackers that are alive, which whoever pings is told; none if this end is no
   * tracker. Called on a network thread: must not block.
   */
  default List<String> trackers() {
    return List.of();
  }
}
