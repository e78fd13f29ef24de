package io.millrace.jobtracker.cluster;

import io.millrace.jobtracker.store.NodeGroupStore;
import io.millrace.jobtracker.store.NodeGroupStore.Use;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Records since when nothing has used each node group of this tracker, and drops the groups that
 * have been unused for long enough. Driven by one timer, which never overlaps its own runs.
 */
public final class UnusedGroups {
  /** The most drops in one run: each changes tables, which stops a cluster for a moment. */
  static final int MOST_DROPPED = 20;

  private final NodeGroupStore groups;
  private final GroupTransfers<?> transfers;
  private final int self;
  private final Predicate<String> hasWorkers;
  private final Duration after;

  /**
   * @param self number of this tracker
   * @param hasWorkers whether workers pull for a group: the store learns this late, if at all
   * @param after how long a group must have been unused to be dropped; zero to drop none
   */
  public UnusedGroups(
      NodeGroupStore groups,
      GroupTransfers<?> transfers,
      int self,
      Predicate<String> hasWorkers,
      Duration after) {
    this.groups = groups;
    this.transfers = transfers;
    this.self = self;
    this.hasWorkers = hasWorkers;
    this.after = after;
  }

  /** How long a group must have been unused to be dropped; zero to drop none. */
  Duration after() {
    return after;
  }

  /**
   * Checks all groups once. A group that cannot be checked does not block the others: its exception
   * is thrown after all have been checked. If a group cannot be dropped, the remaining groups wait
   * for the next run.
   *
   * @return names of the groups that were dropped
   */
  public List<String> runOnce(long now) {
    List<String> dropped = new ArrayList<>();
    List<Use> due = new ArrayList<>();
    RuntimeException failure = null;
    for (Use group : groups.usesOfOwned(self)) {
      try {
        if (isDue(group, now)) {
          due.add(group);
        }
      } catch (StoreUnavailableException e) {
        throw e;
      } catch (RuntimeException e) {
        failure = failure == null ? e : failure;
      }
    }
    for (Use group : due.subList(0, Math.min(due.size(), MOST_DROPPED))) {
      if (drop(group)) {
        dropped.add(group.name());
      }
    }
    if (failure != null) {
      throw failure;
    }
    return dropped;
  }

  /** Records a change of use since the last run; returns whether the group is to be dropped. */
  private boolean isDue(Use group, long now) {
    Long unusedSince = group.unusedSince();
    boolean used =
        hasWorkers.test(group.name())
            || groups.isUsed(group.name(), unusedSince == null ? now : unusedSince);
    if (used != (unusedSince == null)) {
      groups.noteUse(group.name(), self, used ? null : now);
      return false;
    }
    return unusedSince != null && now - unusedSince >= after.toMillis();
  }

  private boolean drop(Use group) {
    Long unusedSince = group.unusedSince();
    return unusedSince != null && transfers.dropUnused(group.name(), unusedSince);
  }
}
