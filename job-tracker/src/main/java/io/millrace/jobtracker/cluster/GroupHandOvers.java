package io.millrace.jobtracker.cluster;

import static io.millrace.jobtracker.cluster.OwnershipSnapshot.nameOf;

import io.millrace.jobtracker.store.LiveTrackers;
import io.millrace.jobtracker.store.NodeGroupStore;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands node groups over to other trackers, and gives all of them up when this tracker stops. A
 * hand-over begins with a decision and ends with {@link #write}, after claims for the group have
 * been paused. Called under the lock of {@link GroupTransfers}.
 */
final class GroupHandOvers {
  private static final Logger LOG = LoggerFactory.getLogger(GroupHandOvers.class);

  private final NodeGroupStore groups;
  private final LiveTrackers trackers;
  private final int self;
  private final Map<String, Integer> targets = new HashMap<>();
  private boolean ended;
  private boolean storeFailed;

  /**
   * @param self number of this tracker
   */
  GroupHandOvers(NodeGroupStore groups, LiveTrackers trackers, int self) {
    this.groups = groups;
    this.trackers = trackers;
    this.self = self;
  }

  /**
   * A served node group that another tracker must serve.
   *
   * @param epoch the epoch in which this tracker serves it
   * @param target the tracker that must serve it
   * @param reason for the log
   */
  record HandOver(String nodeGroup, long epoch, Tracker target, String reason) {}

  /** The result of a hand-over in the store. */
  enum HandedOver {
    /** The target owns the group. */
    WRITTEN,
    /** Another tracker or none owns the group, or the store failed while this tracker stops. */
    NOT_OWNER,
    /** The group was left meanwhile. */
    ALREADY_LEFT,
    /** The store failed: this tracker continues to serve the group. */
    KEPT
  }

  /**
   * The actions of a tracker that stops.
   *
   * @param givenUp groups that no other tracker can take, to be left and released
   * @param handOvers groups to hand over
   */
  record LastDecisions(List<Owned> givenUp, List<HandOver> handOvers) {}

  /** A node group and the epoch in which this tracker served it. */
  record Owned(String nodeGroup, long epoch) {}

  /** Whether a hand-over of the group is under way. */
  boolean isUnderWay(String group) {
    return targets.containsKey(group);
  }

  /** The numbers of the targets of the hand-overs under way, by node group. */
  Map<String, Integer> targets() {
    return Collections.unmodifiableMap(targets);
  }

  /** Whether this tracker stops. */
  boolean hasEnded() {
    return ended;
  }

  /** Begins a hand-over. */
  HandOver begin(String group, long epoch, Tracker target, String reason) {
    targets.put(group, target.number());
    return new HandOver(group, epoch, target, reason);
  }

  /**
   * Writes a hand-over to the store.
   *
   * @param epoch the epoch in which this tracker serves the group now; null if it has left it
   */
  HandedOver write(HandOver handOver, @Nullable Long epoch) {
    String group = handOver.nodeGroup();
    targets.remove(group);
    if (epoch == null || epoch != handOver.epoch()) {
      return HandedOver.ALREADY_LEFT;
    }
    if (storeFailed) {
      return HandedOver.NOT_OWNER;
    }
    Tracker target = handOver.target();
    try {
      if (!groups.handOver(group, self, epoch, target.number())) {
        return HandedOver.NOT_OWNER;
      }
    } catch (RuntimeException e) {
      LOG.warn(
          "membership: node group {} could not be handed over to {}", group, nameOf(target), e);
      storeFailed = ended;
      return ended ? HandedOver.NOT_OWNER : HandedOver.KEPT;
    }
    LOG.info(
        "membership: handed node group {} over to {}, epoch {}: {}",
        group,
        nameOf(target),
        epoch + 1,
        handOver.reason());
    return HandedOver.WRITTEN;
  }

  /**
   * Ends all hand-overs to come: hands each group over to another live tracker, or gives it up.
   *
   * @param served the groups that this tracker serves, and the epoch of each
   */
  LastDecisions end(Map<String, Long> served, long now) {
    ended = true;
    OwnershipSnapshot others = served.isEmpty() ? OwnershipSnapshot.EMPTY : readOthers(now);
    LastDecisions decisions = new LastDecisions(new ArrayList<>(), new ArrayList<>());
    new TreeMap<>(served)
        .forEach(
            (group, epoch) -> {
              Tracker target = others.plannedFor(group);
              if (target == null) {
                decisions.givenUp().add(new Owned(group, epoch));
              } else {
                decisions.handOvers().add(begin(group, epoch, target, "this tracker is stopping"));
              }
            });
    return decisions;
  }

  private OwnershipSnapshot readOthers(long now) {
    try {
      List<Tracker> others =
          trackers.at(now).stream().filter(tracker -> tracker.number() != self).toList();
      List<NodeGroup> all = others.isEmpty() ? List.of() : groups.all();
      return OwnershipSnapshot.of(others, all, targets);
    } catch (RuntimeException e) {
      LOG.warn("membership: the trackers that could take over the node groups cannot be read", e);
      storeFailed = true;
      return OwnershipSnapshot.EMPTY;
    }
  }

  /** Releases a node group that was given up; if the store failed before, does nothing. */
  void release(Owned owned) {
    if (storeFailed) {
      return;
    }
    String group = owned.nodeGroup();
    try {
      groups.release(group, self, owned.epoch());
      LOG.info(
          "membership: released node group {} without a new owner: this tracker is stopping",
          group);
    } catch (RuntimeException e) {
      LOG.warn(
          "membership: node group {} could not be released; it becomes free when the lease"
              + " expires",
          group,
          e);
      storeFailed = true;
    }
  }
}
