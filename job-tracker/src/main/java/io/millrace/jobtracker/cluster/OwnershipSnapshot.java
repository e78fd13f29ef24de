package io.millrace.jobtracker.cluster;

import io.millrace.jobtracker.domain.balance.GroupBalance;
import io.millrace.jobtracker.domain.balance.GroupBalance.Placement;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One read of the store.
 *
 * @param live the trackers that may serve node groups, by number
 * @param groups the node groups
 * @param plan the number of the tracker planned for each node group
 */
record OwnershipSnapshot(
    Map<Integer, Tracker> live, List<NodeGroup> groups, Map<String, Integer> plan) {

  /** No tracker and no node group. */
  static final OwnershipSnapshot EMPTY = new OwnershipSnapshot(Map.of(), List.of(), Map.of());

  /**
   * Plans the node groups.
   *
   * @param handingOver the targets of the groups that are being handed over: such a group counts as
   *     the target's already
   */
  static OwnershipSnapshot of(
      Collection<Tracker> live, List<NodeGroup> groups, Map<String, Integer> handingOver) {
    Map<Integer, Tracker> byNumber =
        live.stream().collect(Collectors.toMap(Tracker::number, Function.identity()));
    List<Placement> placements =
        groups.stream()
            .map(
                group ->
                    new Placement(
                        group.name(), handingOver.getOrDefault(group.name(), group.owner())))
            .toList();
    return new OwnershipSnapshot(
        byNumber, groups, GroupBalance.plan(byNumber.keySet(), placements));
  }

  @Nullable Tracker ownerOf(NodeGroup group) {
    return group.owner() == null ? null : live.get(group.owner());
  }

  @Nullable Tracker plannedFor(String group) {
    Integer number = plan.get(group);
    return number == null ? null : live.get(number);
  }

  long sharePlannedFor(int tracker) {
    return plan.values().stream().filter(number -> number == tracker).count();
  }

  /** A tracker, for the log. */
  static String nameOf(Tracker tracker) {
    return "tracker " + tracker.number() + " at " + tracker.address();
  }
}
