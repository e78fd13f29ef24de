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
 * <p>A tracker keeps what it serves up to its share; what is above, and what nobody serves, goes to
 * those below theirs. The larger shares go to those that serve most now, so as few groups move as
 * can be. A group only ever moves from a tracker to one that serves at least two less: so every
 * move makes the spread more even, and none is ever taken back by a later plan, in whatever order
 * the moves of several plans are carried out.
 */
public final class GroupBalance {
  private final Map<String, Integer> plan = new TreeMap<>();
  private final Map<Integer, Integer> room = new TreeMap<>();

  private GroupBalance() {}

  /**
   * A node group and who serves it now.
   *
   * @param group its name
   * @param owner number of the tracker; null, or of one that is not alive, if nobody serves it
   */
  public record Placement(String group, @Nullable Integer owner) {}

  /**
   * Which tracker is to serve each group. Equal arguments give equal plans, in whatever order.
   *
   * @param live numbers of the live trackers
   * @param placements all node groups, each once
   * @return by name of the group; empty if no tracker is alive
   */
  public static Map<String, Integer> plan(
      Collection<Integer> live, Collection<Placement> placements) {
    GroupBalance balance = new GroupBalance();
    if (!live.isEmpty()) {
      List<Placement> sorted =
          placements.stream().sorted(Comparator.comparing(Placement::group)).toList();
      balance.share(new TreeSet<>(live), sorted);
      balance.keep(sorted);
      balance.dealOut(sorted);
    }
    return balance.plan;
  }

  /** Where groups cannot be shared evenly, those that serve most have one more than the others. */
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

  /** To whoever has most room left, so that no tracker gets all that is new. */
  private void dealOut(List<Placement> placements) {
    for (Placement placement : placements) {
      if (!plan.containsKey(placement.group())) {
        assign(placement, emptiest());
      }
    }
  }

  /** Among equals the one with the lowest number. */
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
