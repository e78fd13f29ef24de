package io.millrace.tasktracker;

import io.millrace.common.lifecycle.SerialExecutor;
import io.millrace.tasktracker.execute.Runners;
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
  private final WorkerRooms rooms;

  /**
   * @param release called once when the worker has stopped
   */
  WorkerNode(
      TaskTrackerConfig config,
      Runners runners,
      TrackerLink link,
      WorkerParts parts,
      Runnable release) {
    this.config = config;
    this.link = link;
    this.parts = parts;
    this.release = release;
    this.serial = new SerialExecutor(config.name(), parts.loop());
    this.loop = new PatientExecutor(serial, parts.timer());
    this.rooms = new WorkerRooms(config, runners, link, loop, parts);
  }

  /** A worker over a real connection, on the parts it is given or on its own. */
  static WorkerNode create(
      TaskTrackerConfig config, Runners runners, @Nullable WorkerParts givenParts) {
    if (givenParts != null) {
      return new WorkerNode(
          config, runners, new ConnectionLink(config, givenParts), givenParts, () -> {});
    }
    OwnParts own = new OwnParts(config);
    WorkerParts parts = own.parts();
    return new WorkerNode(config, runners, new ConnectionLink(config, parts), parts, own::close);
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

  private void shut(CompletableFuture<Void> stopped) {
    try {
      link.close();
      serial.close();
      release.run();
      stopped.complete(null);
    } catch (RuntimeException failure) {
      stopped.completeExceptionally(failure);
    }
  }
}
