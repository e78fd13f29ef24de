package io.millrace.jobtracker.domain.lease;

import io.millrace.jobtracker.domain.waiting.Backlog;
import java.util.Set;

/**
 * The figures of a served node group: what was counted last, and what memory holds now.
 *
 * @param backlog due triggers that waited when they were last counted
 * @param countedAt when that was, in epoch milliseconds; 0 if they were never counted
 * @param workers workers that were connected then
 * @param freeSlots slots that workers wait to fill
 * @param executing executions under way
 * @param blind whether the waiting queue could not be read the last time
 * @param inDoubt whether the tracker does not know for certain that it still serves the group
 * @param draining node ids of the workers that are to get no further work
 */
public record GroupStats(
    Backlog backlog,
    long countedAt,
    int workers,
    int freeSlots,
    int executing,
    boolean blind,
    boolean inDoubt,
    Set<String> draining) {

  public GroupStats {
    draining = Set.copyOf(draining);
  }

  /** Whether the backlog was ever counted. */
  public boolean isCounted() {
    return countedAt > 0;
  }

  /** For how long the first due trigger had been due when they were counted, in milliseconds. */
  public long oldestDueAge() {
    return backlog.oldestAge(countedAt);
  }
}
