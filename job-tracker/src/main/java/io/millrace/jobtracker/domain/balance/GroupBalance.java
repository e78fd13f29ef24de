package io.millrace.jobtracker.domain.balance;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Spreads node groups over the live trackers so that their numbers differ by one at most.
 *
 * <p>A tracker keeps its groups up to its share. Groups above the share, and groups without an
 * owner, are assigned to trackers below their share. The larger shares go to the trackers that
 * serve most now, so that as few groups move as possible. A group moves only from a tracker to one
 * that serves at least two fewer: so every move makes the spread more even, and no later plan takes
 * a move back, in any order in which the moves of several plans are executed.
 */
public final class GroupBalance {
  private final Map<String, Integer> plan = new TreeMap<>();
  private final Map<Integer, Integer> room = new TreeMap<>();

  private GroupBalance() {}

  /**
   * A node group and its current owner.
   *
   * @param group its name
   * @param owner number of the tracker that serves it; null, or that of a tracker that is not
   *     alive, if the group has no live owner
   */
  public record Placement(String group, @Nullable Integer owner) {}

  /**
   * Assigns each group to a tracker. Equal arguments give equal plans; the order of groups and
   * trackers does not matter.
   *
   * @param live numbers of the live trackers
   * @param placements all node groups, each once
   * @return tracker numbers by group name; empty if no tracker is alive
   */
  public static Map<String, Integer> plan(
      Collection<Integer> live, Collection<Placement> placements) {
    GroupBalance balance = new GroupBalance();
    if (!live.isEmpty()) {
      List<Placement> sorted =
          placements.stream().sorted(Comparator.comparing(Placement::group)).toList();
      balance.share(new TreeSet<>(live), sorted);
      balance.keep(sorted);
      balance.assignRemaining(sorted);
    }
    return balance.plan;
  }

  /**
   * If the groups cannot be shared evenly, the trackers that serve most get one more than the
   * others.
   */
  private void share(Set<Integer> live, List<Placement> placements) {
    Map<Integer, Integer> served = new TreeMap<>();
    live.forEach(tracker -> served.put(tracker, 0));
    for (Placement placement : placements) {
      if (placement.owner() != null) {
        served.computeIfPresent(placement.owner(), (tracker, count) -> count + 1);
      }
    }
    int larger = placements.size() % live.size();
    List<Integer> fullestFirst =
        served.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .map(Map.Entry::getKey)
            .toList();
    for (Integer tracker : fullestFirst) {
      room.put(tracker, placements.size() / live.size() + (larger-- > 0 ? 1 : 0));
    }
  }

  private void keep(List<Placement> placements) {
    for (Placement placement : placements) {
      Integer owner = placement.owner();
      if (owner != null && room.getOrDefault(owner, 0) > 0) {
        assign(placement, owner);
      }
    }
  }

  /**
   * Assigns each remaining group to the tracker with most room, so that no tracker gets all new
   * ones.
   */
  private void assignRemaining(List<Placement> placements) {
    for (Placement placement : placements) {
      if (!plan.containsKey(placement.group())) {
        assign(placement, emptiest());
      }
    }
  }

  /** The tracker with most room; among equals the one with the lowest number. */
  private int emptiest() {
    int found = -1;
    for (Map.Entry<Integer, Integer> entry : room.entrySet()) {
      if (found < 0 || entry.getValue() > room.getOrDefault(found, 0)) {
        found = entry.getKey();
      }
    }
    return found;
  }

  private void assign(Placement placement, int tracker) {
    plan.put(placement.group(), tracker);
    room.merge(tracker, -1, Integer::sum);
  }
}
