package io.millrace.internal.rpc;

import java.util.concurrent.CompletableFuture;

/** Opens connections to trackers on behalf of one node. Thread-safe. */
public interface RpcConnector extends AutoCloseable {

  /**
   * Connects, says hello and proves the token. Fails with an {@link RpcException}: UNAVAILABLE,
   * VERSION_MISMATCH or UNAUTHENTICATED.
   *
   * @param address host:port
   * @param handler answers the tracker's requests
   */
  CompletableFuture<Session> connect(String address, RequestHandler handler);

  /** Closes every connection. Idempotent. */
  @Override
  void close();
}
