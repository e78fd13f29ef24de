package io.millrace.tasktracker.internal.metrics;

import io.millrace.api.Outcome;
import io.millrace.internal.outbox.Outbox;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Receives the measurements of a worker. Thread-safe. */
public interface WorkerMeasures extends AutoCloseable {
  /** Measures nothing and has no cost. */
  WorkerMeasures NONE = new WorkerMeasures() {};

  /** The result of a pull. */
  enum PullAnswer {
    /** The owner of the node group answered. */
    SERVED,
    /** A tracker answered that does not serve the node group. */
    NOT_OWNER,
    /** No tracker answered, or the answer was an error. */
    FAILED
  }

  /** Measures the invocations of one runner. */
  @FunctionalInterface
  interface RunnerMeasures {
    /** Records that an invocation begins. Returns what records its end. */
    Runnable began();
  }

  /**
   * Returns the measures of a runner.
   *
   * @param handler the name of the handler; null for the runner of jobs that name none
   */
  default RunnerMeasures ofRunner(@Nullable String handler) {
    return () -> () -> {};
  }

  /**
   * Records that the worker starts. From now on the gauges show its values.
   *
   * @param slots the maximum number of invocations that run at once
   * @param stuckInvocations counts the invocations that continue although their attempts have ended
   * @param outbox holds the results that no tracker has acknowledged; null if there is none
   */
  default void started(int slots, IntSupplier stuckInvocations, @Nullable Outbox outbox) {}

  default void connected(boolean isConnected) {}

  default void pulled(PullAnswer answer) {}

  /**
   * Records that an execution has ended, whether or not its invocation had begun. Its result is not
   * acknowledged yet.
   */
  default void ended(Outcome outcome) {}

  /** Records the number of results of an earlier process that are not acknowledged yet. */
  default void restored(int results) {}

  /** Records that the tracker has acknowledged a result, or that the result was given up. */
  default void acknowledged() {}

  /** Records that the worker has lost an attempt or may have lost it. */
  default void lost() {}

  /** Records that the worker has stopped. */
  @Override
  default void close() {}
}
