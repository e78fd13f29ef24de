package io.millrace.tasktracker;

import io.millrace.common.lifecycle.SerialExecutor;
import io.millrace.common.outbox.Outbox;
import io.millrace.tasktracker.execute.Runners;
import io.millrace.tasktracker.metrics.WorkerMeasures;
import io.millrace.tasktracker.metrics.WorkerReadings;
import io.millrace.tasktracker.report.ResultStore;
import io.millrace.tasktracker.threads.RetryingExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A running worker: its services on one loop, over one link.
 *
 * <p>Thread-safe.
 */
final class WorkerNode {
  private final TaskTrackerConfig config;
  private final TrackerLink link;
  private final WorkerResources resources;
  private final WorkerMeasures measures;
  private final Runnable release;
  private final SerialExecutor serial;
  private final Executor loop;
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
    this.resources = resources;
    this.release = release;
    this.serial = new SerialExecutor(config.name(), resources.loop());
    this.loop = new RetryingExecutor(serial, resources.timer());
    this.store =
        outbox == null
            ? null
            : new ResultStore(
                outbox, new SerialExecutor(config.name() + ", outbox", resources.disk()));
    this.services = new WorkerServices(config, runners, link, loop, resources, store, measures);
    measures.started(new Readings());
  }

  /** Creates a worker over a network connection, with the given resources or its own. */
  static WorkerNode create(
      TaskTrackerConfig config,
      Runners<JobRunner> runners,
      @Nullable WorkerResources givenParts,
      @Nullable Outbox outbox,
      WorkerMeasures measures) {
    if (givenParts != null) {
      return create(config, runners, givenParts, outbox, measures, () -> {});
    }
    DefaultWorkerResources own = new DefaultWorkerResources(config);
    try {
      return create(config, runners, own.resources(), outbox, measures, own::close);
    } catch (RuntimeException failure) {
      own.close();
      throw failure;
    }
  }

  private static WorkerNode create(
      TaskTrackerConfig config,
      Runners<JobRunner> runners,
      WorkerResources resources,
      @Nullable Outbox outbox,
      WorkerMeasures measures,
      Runnable release) {
    ConnectionLink link = new ConnectionLink(config, resources);
    return new WorkerNode(config, runners, link, resources, outbox, measures, release);
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
            new GracefulStop(config.name(), config.stop(), services, loop, resources.timer())
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

  /** Provides the values of the gauges. */
  private final class Readings implements WorkerReadings {
    @Override
    public int slots() {
      return config.pull().slots();
    }

    @Override
    public int stuckInvocations() {
      return WorkerNode.this.stuckInvocations();
    }

    @Override
    public int outboxResults() {
      return store == null ? 0 : store.outbox().size();
    }

    @Override
    public long outboxBytes() {
      return store == null ? 0 : store.outbox().bytes();
    }
  }
}
