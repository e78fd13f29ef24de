package io.millrace.tasktracker;

import io.millrace.common.protocol.PullReply;
import io.millrace.common.protocol.PullRequest;
import io.millrace.common.protocol.Request;
import io.millrace.tasktracker.pull.TrackerPulls;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The worker's connection to a tracker that answers. An interface so that tests can replace the
 * connection. Thread-safe.
 */
interface TrackerLink extends TrackerPulls {

  /**
   * Begins to connect, and reconnects whenever the connection is lost.
   *
   * @param connected called when a tracker is connected, before any call on that connection
   * @param disconnected called when the connection is lost
   */
  void open(Runnable connected, Runnable disconnected);

  /** Sends a request to the tracker; fails with an {@code RpcException} if none is connected. */
  <R> CompletableFuture<R> call(Request<R> request, Duration timeout);

  /** As {@link #call(Request, Duration)}, within the usual time-out. */
  default <R> CompletableFuture<R> call(Request<R> request) {
    return call(request, TaskTrackerConfig.REQUEST_TIMEOUT);
  }

  @Override
  default CompletableFuture<PullReply> pull(PullRequest request) {
    return call(request, TaskTrackerConfig.PULL_TIMEOUT);
  }

  /** Closes the connection for good. Idempotent. */
  void close();
}
