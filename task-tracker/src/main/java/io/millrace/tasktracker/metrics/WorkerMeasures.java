package io.millrace.tasktracker.metrics;

import io.millrace.common.model.Outcome;
import io.millrace.tasktracker.JobRunner;
import org.jspecify.annotations.Nullable;

/** What a worker tells of itself to whoever measures. Thread-safe. */
public interface WorkerMeasures extends AutoCloseable {
  /** EngineListener nothing, and costs nothing. */
  WorkerMeasures NONE = new WorkerMeasures() {};

  /** What became of a pull. */
  enum PullAnswer {
    /** The owner of the node group has answered. */
    SERVED,
    /** A tracker has answered that does not serve the node group. */
    NOT_OWNER,
    /** Nobody has, or the tracker could not. */
    FAILED
  }

  /**
   * The runner to run in the place of this one.
   *
   * @param handler its name; null for the one of jobs that name none
   */
  default JobRunner around(@Nullable String handler, JobRunner runner) {
    return runner;
  }

  /** The worker begins; from now on its gauges show this. */
  default void started(WorkerReadings readings) {}

  default void connected(boolean isConnected) {}

  default void pulled(PullAnswer answer) {}

  /** An execution is over, whether its body has begun or not; its result is to be told. */
  default void ended(Outcome outcome) {}

  /** Results of an earlier process are to be told. */
  default void restored(int results) {}

  /** The tracker has acknowledged a result. */
  default void acknowledged() {}

  /** An attempt is not the worker's own any more, or may not be. */
  default void lost() {}

  /** The worker has stopped. */
  @Override
  default void close() {}
}
