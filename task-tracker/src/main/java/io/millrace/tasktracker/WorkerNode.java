package io.millrace.tasktracker;

import io.millrace.internal.lifecycle.SerialExecutor;
import io.millrace.internal.outbox.Outbox;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.tracker.TrackerCaller;
import io.millrace.internal.rpc.tracker.TrackerConnection;
import io.millrace.internal.rpc.tracker.TrackerConnectionConfig;
import io.millrace.internal.rpc.tracker.TrackerConnectionListener;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.tasktracker.internal.execute.Runners;
import io.millrace.tasktracker.internal.metrics.WorkerMeasures;
import io.millrace.tasktracker.internal.report.ResultStore;
import io.millrace.tasktracker.internal.resources.WorkerResources;
import io.millrace.tasktracker.internal.threads.RetryingExecutor;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A running worker: its services on one loop, over one connection.
 *
 * <p>Thread-safe.
 */
final class WorkerNode {
  private final TaskTrackerConfig config;
  private final TrackerCaller tracker;
  private final WorkerMeasures measures;
  private final Runnable release;
  private final SerialExecutor serial;
  private final TimedExecutor loop;
  private final @Nullable ResultStore store;
  private final WorkerServices services;

  /**
   * Creates the node without connecting.
   *
   * @param outbox keeps unacknowledged results; closed with the worker; null to keep them in memory
   * @param measures receives the measurements of the worker; closed with the worker
   * @param release called once when the worker has stopped
   */
  WorkerNode(
      TaskTrackerConfig config,
      Runners<JobRunner> runners,
      TrackerCaller tracker,
      WorkerResources resources,
      @Nullable Outbox outbox,
      WorkerMeasures measures,
      Runnable release) {
    this.measures = measures;
    this.config = config;
    this.tracker = tracker;
    this.release = release;
    this.serial = new SerialExecutor(config.name(), resources.loop());
    this.loop =
        new TimedExecutor(
            resources.clock(), resources.timer(), new RetryingExecutor(serial, resources.timer()));
    this.store =
        outbox == null
            ? null
            : new ResultStore(
                outbox, new SerialExecutor(config.name() + ", outbox", resources.disk()));
    this.services = new WorkerServices(config, runners, tracker, loop, resources, store, measures);
    measures.started(config.pull().slots(), this::stuckInvocations, outbox);
  }

  /** Creates a worker over a network connection, with the given resources or its own. */
  static WorkerNode create(
      TaskTrackerConfig config,
      Runners<JobRunner> runners,
      @Nullable WorkerResources givenParts,
      @Nullable Outbox outbox,
      WorkerMeasures measures) {
    DefaultWorkerResources own = null;
    WorkerResources resources = givenParts;
    if (resources == null) {
      own = new DefaultWorkerResources(config);
      resources = own.resources();
    }
    Runnable release = own == null ? () -> {} : own::close;
    try {
      TrackerConnection tracker =
          new TrackerConnection(
              resources.connector(),
              WorkerNode::refuse,
              TrackerConnectionConfig.of(config.trackers()),
              resources.timer(),
              resources.loop(),
              new Random(config.id().hashCode()));
      return new WorkerNode(config, runners, tracker, resources, outbox, measures, release);
    } catch (RuntimeException failure) {
      release.run();
      throw failure;
    }
  }

  /** Rejects every request: trackers send no requests to workers yet. */
  private static <R> CompletionStage<R> refuse(Session session, Request<R> request) {
    return CompletableFuture.failedFuture(
        new RpcException(
            ErrorCode.UNSUPPORTED,
            "a worker does not support " + request.getClass().getSimpleName()));
  }

  /** Begins to connect and pull. Called once. */
  void open() {
    tracker.addListener(
        new TrackerConnectionListener() {
          @Override
          public void connected(Session session) {
            loop.execute(services::connected);
          }

          @Override
          public void disconnected() {
            loop.execute(services::disconnected);
          }
        });
    tracker.start();
  }

  /** Returns the number of invocations that continue although their attempts have ended. */
  int stuckInvocations() {
    return services.attempts().stuckCount();
  }

  /**
   * Stops the worker gracefully. Called once. The future completes when the connection, the outbox
   * and the worker's own resources are closed.
   */
  CompletableFuture<Void> stop() {
    CompletableFuture<Void> stopped = new CompletableFuture<>();
    loop.execute(
        () ->
            new GracefulStop(config.name(), config.stop(), services, loop)
                .begin()
                .thenRun(() -> shut(stopped)));
    return stopped;
  }

  /**
   * Closes the connection and the outbox. The outbox is closed on its disk executor, behind the
   * writes that are still queued.
   */
  private void shut(CompletableFuture<Void> stopped) {
    tracker.close();
    serial.close();
    if (store == null) {
      release(stopped);
    } else {
      store
          .disk()
          .execute(
              () -> {
                services.reporter().close();
                release(stopped);
              });
    }
  }

  private void release(CompletableFuture<Void> stopped) {
    measures.close();
    try {
      release.run();
      stopped.complete(null);
    } catch (RuntimeException failure) {
      stopped.completeExceptionally(failure);
    }
  }
}
