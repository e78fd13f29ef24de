package io.millrace.jobtracker.store.console;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What waits and who works in each node group, as its owner last counted; so that whoever looks at
 * groups counts nothing.
 */
public interface GroupLoadStore {

  /**
   * The load of a node group. Times are epoch milliseconds.
   *
   * @param tracker number of the tracker that counted
   * @param backlog triggers that are due and wait, counted up to a bound
   * @param atLeast whether the bound was reached
   * @param oldestDueAt since when the first of them has been due; null if none is
   * @param nextDueAt when the first of the others falls due; null if nothing else waits
   * @param workers that pull for the group
   * @param draining those of them that get no further work
   * @param slots of the workers that say how many they have
   * @param slotsInUse those of them that are taken
   * @param freeSlots executions that workers ask for
   * @param executing executions under way
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

    /** The same, counted at another time. */
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
   * @param owner number of the tracker that serves it, or null
   * @param load null if nobody has counted yet
   */
  record LoadedGroup(String name, @Nullable Integer owner, long epoch, @Nullable GroupLoad load) {}

  /**
   * All groups together.
   *
   * @param atLeast whether some group has more than was counted
   */
  record Totals(
      long groups,
      long backlog,
      boolean atLeast,
      long workers,
      long draining,
      long slots,
      long slotsInUse,
      long executing) {}

  /** Writes what was counted, in the place of what was counted before. */
  void put(List<GroupLoad> loads);

  /** Groups with a name above this one, in order of names. One range read. */
  List<LoadedGroup> list(String aboveName, int limit);

  Optional<LoadedGroup> find(String name);

  /** Groups in which something was due before this instant, the longest due first. */
  List<LoadedGroup> mostOverdue(long dueBefore, int limit);

  /** The sums over all groups: reads a row for each group. */
  Totals totals();

  /** How many groups each tracker owns, by its number. Reads an index entry for each group. */
  Map<Integer, Long> groupsByOwner();
}
