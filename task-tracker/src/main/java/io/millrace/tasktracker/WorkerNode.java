package io.millrace.tasktracker;

import io.millrace.common.lifecycle.SerialExecutor;
import io.millrace.common.outbox.Outbox;
import io.millrace.tasktracker.execute.Runners;
import io.millrace.tasktracker.report.ResultStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A worker that runs: its rooms on one loop, over one link.
 *
 * <p>Thread-safe.
 */
final class WorkerNode {
  private final TaskTrackerConfig config;
  private final TrackerLink link;
  private final WorkerParts parts;
  private final Runnable release;
  private final SerialExecutor serial;
  private final Executor loop;
  private final @Nullable ResultStore store;
  private final WorkerRooms rooms;

  /**
   * @param outbox where results are kept that reach no tracker, if they are; closed with the worker
   * @param release called once when the worker has stopped
   */
  WorkerNode(
      TaskTrackerConfig config,
      Runners runners,
      TrackerLink link,
      WorkerParts parts,
      @Nullable Outbox outbox,
      Runnable release) {
    this.config = config;
    this.link = link;
    this.parts = parts;
    this.release = release;
    this.serial = new SerialExecutor(config.name(), parts.loop());
    this.loop = new PatientExecutor(serial, parts.timer());
    this.store =
        outbox == null
            ? null
            : new ResultStore(outbox, new SerialExecutor(config.name() + ", outbox", parts.disk()));
    this.rooms = new WorkerRooms(config, runners, link, loop, parts, store);
  }

  /** A worker over a real connection, on the parts it is given or on its own. */
  static WorkerNode create(
      TaskTrackerConfig config,
      Runners runners,
      @Nullable WorkerParts givenParts,
      @Nullable Outbox outbox) {
    if (givenParts != null) {
      return create(config, runners, givenParts, outbox, () -> {});
    }
    OwnParts own = new OwnParts(config);
    try {
      return create(config, runners, own.parts(), outbox, own::close);
    } catch (RuntimeException failure) {
      own.close();
      throw failure;
    }
  }

  private static WorkerNode create(
      TaskTrackerConfig config,
      Runners runners,
      WorkerParts parts,
      @Nullable Outbox outbox,
      Runnable release) {
    ConnectionLink link = new ConnectionLink(config, parts);
    return new WorkerNode(config, runners, link, parts, outbox, release);
  }

  /** Connects and pulls. Called once. */
  void open() {
    link.open(() -> loop.execute(rooms::connected), () -> loop.execute(rooms::disconnected));
  }

  /** How many bodies go on although their attempts have ended. */
  int stuckBodies() {
    return rooms.attempts().stuckCount();
  }

  /** Stops gracefully. Called once; the future completes when the link is closed. */
  CompletableFuture<Void> stop() {
    CompletableFuture<Void> stopped = new CompletableFuture<>();
    loop.execute(
        () ->
            new GracefulStop(config.name(), config.stop(), rooms, loop, parts.timer())
                .begin()
                .thenRun(() -> shut(stopped)));
    return stopped;
  }

  /** The outbox is closed where it is written, behind whatever is still to be written. */
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
                store.outbox().close();
                release(stopped);
              });
    }
  }

  private void release(CompletableFuture<Void> stopped) {
    try {
      release.run();
      stopped.complete(null);
    } catch (RuntimeException failure) {
      stopped.completeExceptionally(failure);
    }
  }
}
