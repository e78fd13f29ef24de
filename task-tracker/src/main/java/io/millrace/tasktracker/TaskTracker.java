package io.millrace.tasktracker;

import io.millrace.internal.outbox.Outbox;
import io.millrace.tasktracker.internal.execute.Runners;
import io.millrace.tasktracker.internal.metrics.WorkerMeasures;
import io.millrace.tasktracker.internal.resources.WorkerResources;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker: pulls due jobs of its node group from a tracker, executes them, and reports their
 * results.
 *
 * <pre>{@code
 * TaskTracker worker = TaskTracker.builder().trackers("127.0.0.1:35001").token(token)
 *     .nodeGroup("orders").slots(64).runner(context -> Result.success()).build();
 * worker.start();
 * }</pre>
 *
 * <p>Thread-safe. A worker can be started once. A closed worker cannot be started again.
 */
public final class TaskTracker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskTracker.class);

  /** How long {@link #close} waits beyond the longest time of a stop. */
  private static final Duration CLOSE_MARGIN = Duration.ofSeconds(5);

  private enum State {
    NEW,
    STARTED,
    CLOSED
  }

  private final TaskTrackerConfig config;
  private final Runners<JobRunner> runners;
  private final @Nullable WorkerResources givenParts;
  private final @Nullable Outbox outbox;
  private final WorkerMeasures measures;

  private State state = State.NEW;
  private @Nullable WorkerNode node;
  private CompletableFuture<Void> closed = CompletableFuture.completedFuture(null);

  TaskTracker(
      TaskTrackerConfig config,
      Runners<JobRunner> runners,
      @Nullable WorkerResources givenParts,
      @Nullable Outbox outbox,
      WorkerMeasures measures) {
    this.measures = measures;
    this.config = config;
    this.runners = runners;
    this.givenParts = givenParts;
    this.outbox = outbox;
  }

  /** Returns a builder for a new worker. */
  public static TaskTrackerBuilder builder() {
    return new TaskTrackerBuilder();
  }

  /**
   * Returns the identity of this worker towards trackers; a worker with an outbox has the identity
   * in the outbox.
   */
  public String id() {
    return config.id();
  }

  /**
   * Returns the number of stuck invocations: invocations that continue although their attempts have
   * ended, because they ignored their interrupt. Each of them occupies a thread until it ends. 0
   * before the start.
   */
  public synchronized int stuckInvocations() {
    return node == null ? 0 : node.stuckInvocations();
  }

  /**
   * Starts to connect and pull, and continues until the worker is closed. Returns at once; if no
   * tracker can be reached yet, the worker tries again and again.
   *
   * @throws IllegalStateException if the worker was started before or is closed
   * @throws io.millrace.api.OutboxException if the outbox cannot be read
   * @throws io.millrace.internal.rpc.RpcException if the files for encryption cannot be read
   */
  public synchronized void start() {
    if (state != State.NEW) {
      throw new IllegalStateException(config.name() + " is " + state + " and cannot be started");
    }
    node = WorkerNode.create(config, runners, givenParts, outbox, measures);
    node.open();
    state = State.STARTED;
    LOG.info("{} starts", config);
  }

  /**
   * Stops the worker gracefully and waits for the stop. The worker pulls no more jobs and gives
   * back those that have not begun. It lets invocations end within the {@linkplain
   * TaskTrackerBuilder#shutdownGrace grace}, and interrupts those that have not ended. It then
   * sends the remaining results and log lines to the tracker. It logs what it could not send;
   * unsent results stay in the outbox. Leases are renewed during the stop.
   *
   * <p>Takes at most the shutdown grace, the interrupt grace and 15 s. If the waiting thread is
   * interrupted, this method returns early and the stop continues. Idempotent.
   */
  @Override
  public void close() {
    CompletableFuture<Void> closing = closeAsync();
    try {
      closing.get(config.stop().total().plus(CLOSE_MARGIN).toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      LOG.warn(
          "{}: interrupted while waiting for the stop; the stop continues in the background",
          config.name());
    } catch (TimeoutException late) {
      LOG.error("{}: the stop did not end within {}", config.name(), config.stop().total());
    } catch (ExecutionException failed) {
      throw new IllegalStateException(config.name() + " could not be closed", failed.getCause());
    }
  }

  /**
   * Begins to stop the worker as {@link #close} does, and returns at once. For programs that drive
   * the worker by hand.
   *
   * @return a future that completes when the worker has stopped
   */
  public synchronized CompletableFuture<Void> closeAsync() {
    if (state == State.STARTED && node != null) {
      closed = node.stop();
    } else if (state == State.NEW && outbox != null) {
      outbox.close();
    }
    state = State.CLOSED;
    return closed;
  }

  @Override
  public String toString() {
    return config.name();
  }
}
