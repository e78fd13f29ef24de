package io.millrace.jobtracker.domain.snapshot;

import io.millrace.jobtracker.domain.lease.GroupStats;
import java.util.Set;

/**
 * What the tracker that serves a node group holds in memory of it.
 *
 * @param workers node ids of the workers that are connected
 * @param freeSlots slots that workers wait to fill
 * @param blind whether the last load of the waiting queue failed
 * @param inDoubt whether the tracker is not certain that it still serves the group
 * @param draining node ids of the workers that are to get no further work, as an operator decided
 */
public record GroupView(
    Set<String> workers, int freeSlots, boolean blind, boolean inDoubt, Set<String> draining) {
  public GroupView {
    workers = Set.copyOf(workers);
    draining = Set.copyOf(draining);
  }

  /** The view of the tracker that serves the group. */
  public static GroupView of(Set<String> workers, GroupStats stats) {
    return new GroupView(
        workers, stats.freeSlots(), stats.blind(), stats.inDoubt(), stats.draining());
  }

  /** How many of the connected workers drain. */
  public int drainingWorkers() {
    return (int) workers.stream().filter(draining::contains).count();
  }
}
