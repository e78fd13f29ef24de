package io.millrace.jobtracker.engine;

import io.millrace.common.model.Assignment;
import io.millrace.jobtracker.domain.lease.GroupStats;
import io.millrace.jobtracker.store.CommitListener;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives what the parts of a tracker did, after the commit, for metrics and alerts. It is called
 * once for each batch, on the thread that did the work, so it must be quick and must not throw. The
 * store reports the committed rows to it. Thread-safe.
 */
public interface EngineListener extends CommitListener {
  /** Ignores all calls. */
  EngineListener NONE = new EngineListener() {};

  /** Makes a listener that calls both listeners. */
  static EngineListener both(EngineListener first, EngineListener second) {
    return new CompositeListener(first, second);
  }

  /** The result of an alert. */
  enum AlertOutcome {
    /** A receiver accepted the alert. */
    SENT,
    /** An attempt to deliver the alert failed. */
    FAILED,
    /** The alert was given up, or there was no room to record it. */
    DROPPED
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

  /**
   * Alerts for a receiver were sent, failed or were dropped.
   *
   * @param receiverType the type of the receiver: {@code webhook}, {@code mail}
   */
  default void alerts(String receiverType, AlertOutcome outcome, long count) {}

  /** This tracker now serves a node group. */
  default void groupServed(ServedGroup group) {}

  /** This tracker no longer serves a node group. */
  default void groupLeft(ServedGroup group) {}

  /**
   * The head of a waiting queue was loaded.
   *
   * @param nanos the duration of the load
   */
  default void loaded(String nodeGroup, long nanos) {}

  /**
   * The figures of a node group were counted.
   *
   * @param now epoch milliseconds
   */
  default void counted(String nodeGroup, GroupStats stats, long now) {}

  /**
   * Reports the node groups that this tracker serves, just before they are counted.
   *
   * @param now epoch milliseconds
   */
  default void serves(Collection<String> nodeGroups, long now) {}
}
