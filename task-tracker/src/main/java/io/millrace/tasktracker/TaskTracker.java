package io.millrace.tasktracker;

import io.millrace.common.outbox.Outbox;
import io.millrace.tasktracker.execute.Runners;
import io.millrace.tasktracker.metrics.WorkerMeasures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker: pulls due jobs of its node group from a tracker, runs them, and reports how they ended.
 *
 * <pre>{@code
 * TaskTracker worker = TaskTracker.builder().trackers("127.0.0.1:35001").token(token)
 *     .nodeGroup("orders").slots(64).runner(context -> Result.success()).build();
 * worker.start();
 * }</pre>
 *
 * <p>Thread-safe. Started once and closed once; a closed one cannot be started again.
 */
public final class TaskTracker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskTracker.class);

  /** What {@link #close} waits beyond the time a stop takes, before it stops waiting. */
  private static final Duration CLOSE_MARGIN = Duration.ofSeconds(5);

  private enum State {
    NEW,
    STARTED,
    CLOSED
  }

  private final TaskTrackerConfig config;
  private final Runners runners;
  private final @Nullable WorkerResources givenParts;
  private final @Nullable Outbox outbox;
  private final WorkerMeasures measures;

  private State state = State.NEW;
  private @Nullable WorkerNode node;
  private CompletableFuture<Void> closed = CompletableFuture.completedFuture(null);

  TaskTracker(
      TaskTrackerConfig config,
      Runners runners,
      @Nullable WorkerResources givenParts,
      @Nullable Outbox outbox,
      WorkerMeasures measures) {
    this.measures = measures;
    this.config = config;
    this.runners = runners;
    this.givenParts = givenParts;
    this.outbox = outbox;
  }

  /** Begins to describe a worker. */
  public static TaskTrackerBuilder builder() {
    return new TaskTrackerBuilder();
  }

  /** Identity of this worker towards trackers; that of its outbox if it has one. */
  public String id() {
    return config.id();
  }

  /**
   * How many bodies go on although their attempts have ended, because they ignored their interrupt.
   * Each of them costs a thread until it ends; 0 before the start.
   */
  public synchronized int stuckBodies() {
    return node == null ? 0 : node.stuckBodies();
  }

  /**
   * Connects and pulls, and goes on doing so until closed. Returns at once: a tracker that cannot
   * be reached yet is tried again and again.
   *
   * @throws IllegalStateException if it was started before, or is closed
   * @throws io.millrace.common.outbox.OutboxException if the outbox cannot be read
   * @throws io.millrace.common.rpc.RpcException if the files of the encryption cannot be read
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
   * Stops gracefully and waits for it: asks for no more work, gives back what has not begun, lets
   * bodies end within the grace, interrupts those that have not, and tells the tracker the results
   * and log lines that are left. What then is left is logged; results stay in the outbox. Leases
   * live on meanwhile.
   *
   * <p>Takes at most the grace and a few seconds. If the waiting thread is interrupted, it returns
   * early and the stop goes on. Idempotent.
   */
  @Override
  public void close() {
    CompletableFuture<Void> closing = closeAsync();
    try {
      closing.get(config.stop().total().plus(CLOSE_MARGIN).toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      LOG.warn("{}: interrupted while it waited to be closed; the stop goes on", config.name());
    } catch (TimeoutException late) {
      LOG.error("{}: the stop did not end in {}", config.name(), config.stop().total());
    } catch (ExecutionException failed) {
      throw new IllegalStateException(config.name() + " could not be closed", failed.getCause());
    }
  }

  /**
   * Begins what {@link #close} does and returns at once; for those who drive the worker by hand.
   *
   * @return completed when the worker has stopped; the same at every call
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
