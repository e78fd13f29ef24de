package io.millrace.jobtracker.store.console;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The backlog and the workers of each node group, as its owner last counted them; a reader does not
 * count anything itself.
 */
public interface GroupLoadStore {

  /**
   * The load of a node group. Times are epoch milliseconds.
   *
   * @param tracker number of the tracker that counted
   * @param backlog the number of due waiting triggers, counted up to a bound
   * @param atLeast whether the bound was reached
   * @param oldestDueAt the earliest due time of them; null if there are none
   * @param nextDueAt the earliest due time of the other waiting triggers; null if there are none
   * @param workers the number of workers that pull for the group
   * @param draining those of them that get no further work
   * @param slots the number of slots of the workers that report it
   * @param slotsInUse the number of these slots in use
   * @param freeSlots the number of executions that workers request
   * @param executing the number of running executions
   */
  record GroupLoad(
      String nodeGroup,
      int tracker,
      long observedAt,
      long backlog,
      boolean atLeast,
      @Nullable Long oldestDueAt,
      @Nullable Long nextDueAt,
      int workers,
      int draining,
      int slots,
      int slotsInUse,
      int freeSlots,
      int executing) {

    /** Returns a copy with another time of the count. */
    public GroupLoad observedAt(long when) {
      return new GroupLoad(
          nodeGroup,
          tracker,
          when,
          backlog,
          atLeast,
          oldestDueAt,
          nextDueAt,
          workers,
          draining,
          slots,
          slotsInUse,
          freeSlots,
          executing);
    }
  }

  /**
   * A node group.
   *
   * @param owner number of the tracker that owns it, or null
   * @param load null if no tracker has counted yet
   */
  record LoadedGroup(String name, @Nullable Integer owner, long epoch, @Nullable GroupLoad load) {}

  /**
   * The sums over all groups.
   *
   * @param backlog the number of due waiting triggers, each group counted up to a bound
   * @param backlogAtLeast whether a group reached the bound, so that its backlog may be larger
   * @param executing the number of running executions
   * @param groups the number of groups that were counted
   * @param lateGroups those of them with a trigger that was due before the instant asked for
   * @param groupsWithoutWorkers those of them that no worker pulls for
   */
  record Totals(
      long backlog,
      boolean backlogAtLeast,
      long executing,
      long groups,
      long lateGroups,
      long groupsWithoutWorkers,
      long workers,
      long drainingWorkers,
      long slots,
      long slotsInUse) {}

  /** Writes the counted loads and replaces earlier ones. */
  void put(List<GroupLoad> loads);

  /** Returns groups with a name above this one, in order of name. One range read. */
  List<LoadedGroup> list(String aboveName, int limit);

  /**
   * Returns groups with a name above this one, in order of name, whose name contains this text in
   * any case. Reads those behind it until there are enough.
   */
  List<LoadedGroup> listLike(String contained, String aboveName, int limit);

  Optional<LoadedGroup> find(String name);

  /** Returns groups with a trigger that was due before this instant, the longest overdue first. */
  List<LoadedGroup> mostOverdue(long dueBefore, int limit);

  /**
   * Returns the groups with the largest backlogs, the largest first; those that were not counted
   * yet last. Reads all groups.
   */
  List<LoadedGroup> largestBacklogs(int limit);

  /** Returns the names of counted groups that no worker pulls for, in order. Reads all groups. */
  List<String> withoutWorkers(int limit);

  /**
   * Returns the sums over all groups: reads a row for each group.
   *
   * @param dueBefore an older trigger makes its group late; epoch milliseconds
   */
  Totals totals(long dueBefore);

  /**
   * Returns how many groups each tracker owns, by its number. Reads an index entry for each group.
   */
  Map<Integer, Long> groupsByOwner();
}
