package io.millrace.jobtracker.domain.snapshot;

import io.millrace.jobtracker.domain.lease.GroupStats;
import java.util.Set;

/**
 * What the tracker that serves a node group has in memory of it.
 *
 * @param workers node ids of the workers that are connected
 * @param freeSlots slots that they have asked work for and not been given yet
 * @param blind whether the waiting queue could not be read the last time
 * @param inDoubt whether the tracker does not know for certain that it still serves the group
 * @param draining node ids of the workers that an operator has said are to get no further work
 */
public record GroupView(
    Set<String> workers, int freeSlots, boolean blind, boolean inDoubt, Set<String> draining) {
  public GroupView {
    workers = Set.copyOf(workers);
    draining = Set.copyOf(draining);
  }

  /** As the tracker that serves the group knows it. */
  public static GroupView of(Set<String> workers, GroupStats stats) {
    return new GroupView(
        workers, stats.freeSlots(), stats.blind(), stats.inDoubt(), stats.draining());
  }

  /** A group without workers that drain. */
  public GroupView(Set<String> workers, int freeSlots, boolean blind, boolean inDoubt) {
    this(workers, freeSlots, blind, inDoubt, Set.of());
  }

  /** How many of the connected workers drain. */
  public int drainingWorkers() {
    return (int) workers.stream().filter(draining::contains).count();
  }
}
