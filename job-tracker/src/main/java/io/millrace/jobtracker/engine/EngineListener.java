package io.millrace.jobtracker.engine;

import io.millrace.common.model.Assignment;
import io.millrace.jobtracker.domain.lease.GroupStats;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Told what the parts of a tracker did, after the commit: for metrics and alerts. Called once for
 * each batch, on the thread that did the work: it must be quick and never fail. Thread-safe.
 */
public interface EngineListener {
  /** EngineListener nothing. */
  EngineListener NONE = new EngineListener() {};

  /** Tells both. */
  static EngineListener both(EngineListener first, EngineListener second) {
    return new CompositeListener(first, second);
  }

  /** What became of an alert. */
  enum AlertOutcome {
    /** A receiver has taken it. */
    SENT,
    /** An attempt to deliver it failed. */
    FAILED,
    /** It was given up, or there was no room to take note of what it would have told. */
    DROPPED
  }

  /** What a batch was committed for. */
  enum Commit {
    SUBMIT,
    CLAIM,
    COMPLETE
  }

  /**
   * A batch was committed.
   *
   * @param items jobs, claimed executions or ends in its transaction
   * @param nanos from its begin to the answer of the commit
   */
  default void committed(Commit what, int items, long nanos) {}

  /** Executions were claimed for workers of a node group. */
  default void claimed(String nodeGroup, int executions) {}

  /**
   * Executions have left for a worker in the answer to its pull.
   *
   * @param now epoch milliseconds
   */
  default void handedOut(String nodeGroup, List<Assignment> assignments, long now) {}

  /**
   * A body has run, as its worker says.
   *
   * @param handler name of the runner; null for the worker's only one
   * @param nanos by the worker's clock
   */
  default void ran(String nodeGroup, @Nullable String handler, long nanos) {}

  /**
   * Something became of alerts for a receiver.
   *
   * @param receiverType what it is: {@code webhook}, {@code mail}
   */
  default void alerts(String receiverType, AlertOutcome outcome, long count) {}

  /** A node group is served by this tracker from now on. */
  default void groupServed(ServedGroup group) {}

  /** A node group is served by this tracker no more. */
  default void groupLeft(ServedGroup group) {}

  /**
   * The head of a waiting queue was loaded.
   *
   * @param nanos how long that took
   */
  default void loaded(String nodeGroup, long nanos) {}

  /**
   * A node group was counted.
   *
   * @param now epoch milliseconds
   */
  default void counted(String nodeGroup, GroupStats stats, long now) {}

  /**
   * These are the node groups that this tracker serves, as they are about to be counted.
   *
   * @param now epoch milliseconds
   */
  default void serves(Collection<String> nodeGroups, long now) {}
}
