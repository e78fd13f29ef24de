package io.millrace.common.rpc;

import io.millrace.common.protocol.Request;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * One live connection that has said hello and, where a token is required, proven it. Thread-safe.
 */
public interface Session {

  /** Who is at the other end. Servers trust this, never an identity in a body. */
  Peer peer();

  /**
   * Asks the other end.
   *
   * <p>The future fails with an {@link RpcException}: with the code the other end answered, or
   * UNAVAILABLE when the connection closed or no answer came in time. No answer is not a no: the
   * request may have been carried out.
   */
  <R> CompletableFuture<R> call(Request<R> request, Duration timeout);

  boolean isOpen();

  /** Runs the task once when the connection is closed; at once if it is closed already. */
  void onClose(Runnable task);

  /** Closes the connection; calls under way fail. Idempotent. */
  void close();
}
