package io.millrace.tasktracker;

import io.millrace.common.lifecycle.SerialExecutor;
import io.millrace.common.outbox.Outbox;
import io.millrace.common.time.TimedExecutor;
import io.millrace.tasktracker.execute.Runners;
import io.millrace.tasktracker.metrics.WorkerMeasures;
import io.millrace.tasktracker.report.ResultStore;
import io.millrace.tasktracker.threads.RetryingExecutor;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A running worker: its services on one loop, over one link.
 *
 * <p>Thread-safe.
 */
final class WorkerNode {
  private final TaskTrackerConfig config;
  private final TrackerLink link;
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
      TrackerLink link,
      WorkerResources resources,
      @Nullable Outbox outbox,
      WorkerMeasures measures,
      Runnable release) {
    this.measures = measures;
    this.config = config;
    this.link = link;
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
    this.services =
        new WorkerServices(config, runners, link, loop, resources.jobs(), store, measures);
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
      ConnectionLink link = new ConnectionLink(config, resources);
      return new WorkerNode(config, runners, link, resources, outbox, measures, release);
    } catch (RuntimeException failure) {
      release.run();
      throw failure;
    }
  }

  /** Begins to connect and pull. Called once. */
  void open() {
    link.open(() -> loop.execute(services::connected), () -> loop.execute(services::disconnected));
  }

  /** Returns the number of invocations that continue although their attempts have ended. */
  int stuckInvocations() {
    return services.attempts().stuckCount();
  }

  /**
   * Stops the worker gracefully. Called once. The future completes when the link, the outbox and
   * the worker's own resources are closed.
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
   * Closes the link and the outbox. The outbox is closed on its disk executor, behind the writes
   * that are still queued.
   */
  private void shut(CompletableFuture<Void> stopped) {
    link.close();
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
