package io.millrace.jobtracker.cluster;

import io.millrace.jobtracker.store.NodeGroupStore;
import io.millrace.jobtracker.store.NodeGroupStore.Use;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Notes since when nothing has used each node group that this tracker serves, and drops those of
 * which that is long ago. Driven by one timer, which never overlaps itself.
 */
public final class UnusedGroups {
  /** Of one run: each costs changes of tables, for which a cluster stops for a moment. */
  static final int MOST_DROPPED = 20;

  private final NodeGroupStore groups;
  private final GroupTransfers<?> transfers;
  private final int self;
  private final Predicate<String> hasWorkers;
  private final Duration after;

  /**
   * @param self number of this tracker
   * @param hasWorkers whether workers pull for a group: the store knows after a while, if at all
   * @param after for how long nothing must have used a group that is dropped
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

  /** For how long nothing must have used a group that is dropped; zero to drop none. */
  Duration after() {
    return after;
  }

  /**
   * Looks once. A group that cannot be looked at keeps no other from it: what it threw comes out
   * when all have been seen. When one cannot be dropped, the others wait for the next run, too.
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

  /** Notes what has changed since the last run. */
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
