package io.millrace.jobtracker.domain.lease;

import io.millrace.jobtracker.domain.batch.BatchStats;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.waiting.Backlog;
import java.util.Map;
import java.util.Set;

/**
 * The figures of a served node group: the last counts, and the current state of memory.
 *
 * @param backlog due triggers that waited when they were last counted
 * @param countedAt when they were counted, in epoch milliseconds; 0 if never
 * @param workers workers that were connected then
 * @param freeSlots slots that workers wait to fill
 * @param executing executions under way
 * @param blind whether the last load of the waiting queue failed
 * @param inDoubt whether the tracker is not certain that it still serves the group
 * @param draining node ids of the workers that are to get no further work
 * @param batches runs that were split, as they were seen last
 * @param dueByLane due triggers that waited then in each lane but the plain one
 */
public record GroupStats(
    Backlog backlog,
    long countedAt,
    int workers,
    int freeSlots,
    int executing,
    boolean blind,
    boolean inDoubt,
    Set<String> draining,
    BatchStats batches,
    Map<Lane, Long> dueByLane) {

  public GroupStats {
    draining = Set.copyOf(draining);
    dueByLane = Map.copyOf(dueByLane);
  }

  /** The figures of a group without runs that were split, whose jobs require nothing of workers. */
  public GroupStats(
      Backlog backlog,
      long countedAt,
      int workers,
      int freeSlots,
      int executing,
      boolean blind,
      boolean inDoubt,
      Set<String> draining) {
    this(
        backlog,
        countedAt,
        workers,
        freeSlots,
        executing,
        blind,
        inDoubt,
        draining,
        BatchStats.NONE,
        Map.of());
  }

  /** Whether the backlog was ever counted. */
  public boolean isCounted() {
    return countedAt > 0;
  }

  /**
   * For how long the first due trigger had been due when the backlog was counted, in milliseconds.
   */
  public long oldestDueAge() {
    return backlog.oldestAge(countedAt);
  }
}
