package io.millrace.jobtracker.engine;

import io.millrace.jobtracker.domain.batch.BatchProgress;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Notifications from one service to the others after a commit. They are hints only: a service that
 * misses one finds the rows by its own timer. Never blocks. Thread-safe.
 */
public interface Signals {
  /** Ignores all calls. */
  Signals NONE =
      new Signals() {
        @Override
        public void nodeGroupStored(String nodeGroup) {}

        @Override
        public void triggersStored(String nodeGroup, long earliestDueAt) {}

        @Override
        public void executionsEnded(String nodeGroup, Collection<Long> executionIds) {}

        @Override
        public void stopRequested(String nodeGroup, Collection<Long> executionIds) {}

        @Override
        public void terminated(String nodeGroup, Collection<Long> executionIds) {}

        @Override
        public void feedbackStored() {}
      };

  /** A node group was stored that this tracker may not know yet. */
  void nodeGroupStored(String nodeGroup);

  /**
   * Rows were added to a waiting table; the earliest of them falls due at {@code earliestDueAt}, in
   * epoch milliseconds.
   */
  void triggersStored(String nodeGroup, long earliestDueAt);

  /**
   * Rows were added to a waiting table and committed. If this tracker serves the node group, it
   * need not read them back; another owner receives a hint to load them.
   */
  default void triggersStored(String nodeGroup, List<WaitingTrigger> rows) {
    rows.stream()
        .filter(row -> !row.isHeld())
        .mapToLong(WaitingTrigger::dueAt)
        .min()
        .ifPresent(dueAt -> triggersStored(nodeGroup, dueAt));
  }

  /** Executions have ended, and so have their leases. */
  void executionsEnded(String nodeGroup, Collection<Long> executionIds);

  /** Executions were asked to stop. */
  void stopRequested(String nodeGroup, Collection<Long> executionIds);

  /** Executions were terminated; their workers must interrupt the invocations. */
  void terminated(String nodeGroup, Collection<Long> executionIds);

  /** There is feedback to push. */
  void feedbackStored();

  /**
   * Parts of batches ended, or batches were opened or stopped. If this tracker serves the node
   * group, it ends and releases what is to be ended and released; another owner finds it by itself.
   *
   * @param batches their progress as far as it is committed, by id
   */
  default void batchesChanged(String nodeGroup, Map<Long, BatchProgress> batches) {}
}
