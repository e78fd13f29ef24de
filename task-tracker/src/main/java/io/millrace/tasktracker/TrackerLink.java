package io.millrace.tasktracker;

import io.millrace.common.protocol.Request;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The worker's connection to a tracker that answers. An interface so that tests can replace the
 * connection. Thread-safe.
 */
interface TrackerLink {

  /**
   * Begins to connect, and reconnects whenever the connection is lost.
   *
   * @param connected called when a tracker is connected, before any call on that connection
   * @param disconnected called when the connection is lost
   */
  void open(Runnable connected, Runnable disconnected);

  /** Sends a request to the tracker; fails with an {@code RpcException} if none is connected. */
  <R> CompletableFuture<R> call(Request<R> request, Duration timeout);

  /** Connects to the tracker at this address, unless already connected to it. */
  void prefer(String address);

  /** Connects to any other tracker, if another one is known. */
  void preferAnother();

  /** Closes the connection for good. Idempotent. */
  void close();
}
