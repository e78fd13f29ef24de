package io.millrace.common.rpc;

import java.util.concurrent.CompletableFuture;

/** Opens connections to trackers, as the node it was made for. Thread-safe. */
public interface RpcConnector extends AutoCloseable {

  /**
   * Connects, says hello and proves the token. Fails with an {@link RpcException}: UNAVAILABLE,
   * VERSION_MISMATCH or UNAUTHENTICATED.
   *
   * @param address host:port
   * @param handler answers what the tracker asks
   */
  CompletableFuture<Session> connect(String address, RequestHandler handler);

  /** Closes every connection. Idempotent. */
  @Override
  void close();
}
