package io.millrace.jobtracker.engine;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.Collection;
import java.util.List;

/**
 * What one room tells the others after a commit. Hints only: whoever misses one finds the rows by
 * its own timer. Never blocks. Thread-safe.
 */
public interface Signals {

  /** A node group was submitted to that this tracker may not have known. */
  void nodeGroupStored(String nodeGroup);

  /** Rows were added to a waiting table; the earliest of them falls due at this instant. */
  void triggersStored(String nodeGroup, long earliestDueAt);

  /**
   * These rows were added to a waiting table, and their commit is over. Whoever serves the node
   * group here need not read them back; elsewhere it is the hint that they are there.
   */
  default void triggersStored(String nodeGroup, List<WaitingTrigger> rows) {
    rows.stream()
        .filter(row -> !row.isHeld())
        .mapToLong(WaitingTrigger::dueAt)
        .min()
        .ifPresent(dueAt -> triggersStored(nodeGroup, dueAt));
  }

  /** Executions have ended: their leases are over. */
  void executionsEnded(String nodeGroup, Collection<Long> executionIds);

  /** Executions were asked to stop. */
  void stopRequested(String nodeGroup, Collection<Long> executionIds);

  /** Executions were terminated: their workers are to interrupt the bodies. */
  void terminated(String nodeGroup, Collection<Long> executionIds);

  /** There is feedback to push. */
  void feedbackStored();
}
