package io.millrace.jobtracker.engine;

import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.observe.TrackerObserver;
import io.millrace.jobtracker.store.CommitListener;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives what the parts of a tracker did, after the commit, for metrics and observers. It is
 * called once for each batch, on the thread that did the work, so it must be quick and must not
 * throw. The store reports the committed rows to it. Thread-safe.
 */
public interface EngineListener extends CommitListener {
  /** Ignores all calls. */
  EngineListener NONE = new EngineListener() {};

  /** Makes a listener that also calls an observer. */
  static EngineListener observed(EngineListener listener, TrackerObserver observer) {
    return new ObservedListener(listener, observer);
  }

  /** The purpose of a committed batch. */
  enum Commit {
    SUBMIT,
    CLAIM,
    COMPLETE
  }

  /**
   * A batch was committed.
   *
   * @param items the number of jobs, claimed executions or ends in the transaction
   * @param nanos the time from the beginning of the transaction to the answer of the commit
   */
  default void committed(Commit what, int items, long nanos) {}

  /** Executions were claimed for workers of a node group. */
  default void claimed(String nodeGroup, int executions) {}

  /**
   * Executions were handed to a worker in the reply to its pull.
   *
   * @param now epoch milliseconds
   */
  default void handedOut(String nodeGroup, List<Assignment> assignments, long now) {}

  /**
   * An invocation has run, as its worker reports.
   *
   * @param handler the name of the handler; null for the worker's only one
   * @param nanos the duration, by the worker's clock
   */
  default void ran(String nodeGroup, @Nullable String handler, long nanos) {}

  /** This tracker now serves a node group. */
  default void groupServed(ServedGroup group) {}

  /** This tracker no longer serves a node group. */
  default void groupLeft(ServedGroup group) {}

  /** The due triggers of a group were counted, among them those of lanes. */
  default void lanesCounted(ServedGroup group) {}

  /**
   * The head of a waiting queue was loaded.
   *
   * @param nanos the duration of the load
   */
  default void loaded(String nodeGroup, long nanos) {}
}
