package io.millrace.internal.rpc;

import io.millrace.internal.protocol.Request;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * One live connection after its handshake: the caller has said hello and, where a token is
 * required, proven it. Thread-safe.
 */
public interface Session {

  /** The node at the other end. Servers trust this identity, never one in a body. */
  Peer peer();

  /**
   * Sends a request to the other end.
   *
   * <p>The future fails with an {@link RpcException}: with the code of the other end's error, or
   * UNAVAILABLE if the connection closed or no answer arrived in time. Even without an answer, the
   * request may have been carried out.
   */
  <R> CompletableFuture<R> call(Request<R> request, Duration timeout);

  boolean isOpen();

  /** Runs the task once when the connection is closed; at once if it is closed already. */
  void onClose(Runnable task);

  /** Closes the connection; calls under way fail. Idempotent. */
  void close();
}
