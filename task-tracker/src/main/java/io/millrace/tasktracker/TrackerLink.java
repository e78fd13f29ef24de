package io.millrace.tasktracker;

import io.millrace.common.protocol.Request;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The worker's connection to whichever tracker answers. The seam that tests script. Thread-safe.
 */
interface TrackerLink {

  /**
   * Begins to connect, and connects again whenever the connection is lost.
   *
   * @param connected called when a tracker can be reached, before any call on that connection
   * @param disconnected called when it is gone
   */
  void open(Runnable connected, Runnable disconnected);

  /** Asks the tracker; fails with an {@code RpcException} when none is connected. */
  <R> CompletableFuture<R> call(Request<R> request, Duration timeout);

  /** Connects to the tracker at this address, if not connected to it already. */
  void prefer(String address);

  /** Connects to any other tracker, if another one is known. */
  void preferAnother();

  /** Closes the connection for good. Idempotent. */
  void close();
}
