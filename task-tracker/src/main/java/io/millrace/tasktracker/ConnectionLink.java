package io.millrace.tasktracker;

import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.Request;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.rpc.Session;
import io.millrace.common.rpc.tracker.TrackerConnection;
import io.millrace.common.rpc.tracker.TrackerConnectionConfig;
import io.millrace.common.rpc.tracker.TrackerConnectionListener;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The link of a worker over a network connection. Thread-safe. */
final class ConnectionLink implements TrackerLink {
  private final TrackerConnection connection;

  ConnectionLink(TaskTrackerConfig config, WorkerResources resources) {
    this.connection =
        new TrackerConnection(
            resources.connector(),
            ConnectionLink::refuse,
            TrackerConnectionConfig.of(config.trackers()),
            resources.timer(),
            resources.loop(),
            new Random(config.id().hashCode()));
  }

  @Override
  public void open(Runnable connected, Runnable disconnected) {
    connection.addListener(
        new TrackerConnectionListener() {
          @Override
          public void connected(Session session) {
            connected.run();
          }

          @Override
          public void disconnected() {
            disconnected.run();
          }
        });
    connection.start();
  }

  @Override
  public <R> CompletableFuture<R> call(Request<R> request, Duration timeout) {
    return connection.call(request, timeout);
  }

  @Override
  public void prefer(String address) {
    connection.prefer(address);
  }

  @Override
  public void preferAnother() {
    connection.preferAnother();
  }

  @Override
  public void close() {
    connection.close();
  }

  /** Rejects every request: trackers send no requests to workers yet. */
  private static <R> CompletionStage<R> refuse(Session session, Request<R> request) {
    return CompletableFuture.failedFuture(
        new RpcException(
            ErrorCode.UNSUPPORTED,
            "a worker does not support " + request.getClass().getSimpleName()));
  }
}
