package io.millrace.jobtracker.domain.explain;

import java.util.Set;

/**
 * What the tracker that serves a node group has in memory of it.
 *
 * @param workers node ids of the workers that are connected
 * @param freeSlots slots that they have asked work for and not been given yet
 * @param blind whether the waiting queue could not be read the last time
 * @param inDoubt whether the tracker does not know for certain that it still serves the group
 */
public record GroupView(Set<String> workers, int freeSlots, boolean blind, boolean inDoubt) {
  public GroupView {
    workers = Set.copyOf(workers);
  }
}
