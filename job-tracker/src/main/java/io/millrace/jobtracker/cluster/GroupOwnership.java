package io.millrace.jobtracker.cluster;

import io.millrace.jobtracker.cluster.GroupHandOvers.HandOver;
import io.millrace.jobtracker.cluster.GroupHandOvers.HandedOver;
import io.millrace.jobtracker.cluster.GroupHandOvers.LastDecisions;
import io.millrace.jobtracker.cluster.GroupHandOvers.Owned;
import io.millrace.jobtracker.store.LiveTrackers;
import io.millrace.jobtracker.store.NodeGroupStore;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which node groups this tracker serves while its epoch is valid. Of the groups that no
 * live tracker serves, it takes its share; the groups above its share go to other trackers by
 * {@link GroupHandOvers}. It writes ownership to the store and returns the resulting actions;
 * {@link GroupTransfers} carries them out. Called under the lock of {@link GroupTransfers}, except
 * {@link #ownerElsewhere}, which is thread-safe.
 *
 * <p>A hand-over leaves no gap: claims stop, the store names the target, the target is notified,
 * and only then are the waiting workers sent to it. If the target is gone by then, the group is
 * free when the target's lease has run out.
 */
public final class GroupOwnership {
  private static final Logger LOG = LoggerFactory.getLogger(GroupOwnership.class);

  private final NodeGroupStore groups;
  private final LiveTrackers trackers;
  private final TrackerLease lease;
  private final int self;
  private final GroupHandOvers handOvers;
  private final Map<String, Long> served = new TreeMap<>();
  private final Map<String, String> servedElsewhere = new ConcurrentHashMap<>();
  private final Map<String, Long> notifiedEpochs = new HashMap<>();

  public GroupOwnership(NodeGroupStore groups, LiveTrackers trackers, TrackerLease lease) {
    this.groups = groups;
    this.trackers = trackers;
    this.lease = lease;
    this.self = lease.number();
    this.handOvers = new GroupHandOvers(groups, trackers, self);
  }

  /**
   * The actions that follow from one read of the store, to be done in this order.
   *
   * @param lost groups to leave: another tracker owns them, or they were removed
   * @param doubts the doubts of the lease before the read: they are settled once the lost groups
   *     are left
   * @param free groups to take
   * @param handOvers groups to hand over
   * @param notices free groups that other trackers must take and may not know of yet
   */
  record Decisions(
      List<Lost> lost,
      long doubts,
      List<NodeGroup> free,
      List<HandOver> handOvers,
      List<Notice> notices) {}

  /**
   * A node group that this tracker no longer serves.
   *
   * @param owner address of the tracker that serves it; null if it is not known
   */
  record Lost(String nodeGroup, @Nullable String owner) {}

  /** A free node group, and the tracker that must take it. */
  record Notice(String nodeGroup, Tracker taker) {}

  /**
   * Reads the store and decides: leave the groups that others have taken, take the free groups
   * within this tracker's share, hand over the groups above its share.
   *
   * @return empty if this tracker has ended or does not hold its lease
   */
  Optional<Decisions> decide(long now) {
    if (handOvers.hasEnded() || (!lease.isHeld() && !lease.renew())) {
      return Optional.empty();
    }
    long doubts = lease.doubts();
    OwnershipSnapshot snapshot =
        OwnershipSnapshot.of(trackers.at(now), groups.all(), handOvers.targets());
    Decisions decisions =
        new Decisions(
            new ArrayList<>(), doubts, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    snapshot.groups().forEach(group -> leaveIfLost(group, snapshot, decisions));
    leaveRemoved(snapshot, decisions);
    if (snapshot.live().containsKey(self)) {
      snapshot.groups().forEach(group -> settle(group, snapshot, decisions));
    }
    return Optional.of(decisions);
  }

  private void leaveIfLost(NodeGroup group, OwnershipSnapshot snapshot, Decisions decisions) {
    Long epoch = served.get(group.name());
    if (epoch == null
        || (epoch == group.epoch() && group.owner() != null && group.owner() == self)) {
      return;
    }
    served.remove(group.name());
    Tracker owner = snapshot.ownerOf(group);
    LOG.info(
        "membership: lost node group {}, epoch {}: {} owns it in epoch {}",
        group.name(),
        epoch,
        owner == null ? "no tracker" : OwnershipSnapshot.nameOf(owner),
        group.epoch());
    decisions.lost().add(new Lost(group.name(), owner == null ? null : owner.address()));
  }

  /**
   * Leaves node groups that were removed, by an operator or by their owner. If a removed group is
   * created again, its epochs start anew. So its recorded server and the epoch of its last notice
   * are dropped.
   */
  private void leaveRemoved(OwnershipSnapshot snapshot, Decisions decisions) {
    Set<String> there = snapshot.groups().stream().map(NodeGroup::name).collect(Collectors.toSet());
    servedElsewhere.keySet().retainAll(there);
    notifiedEpochs.keySet().retainAll(there);
    for (String group : List.copyOf(served.keySet())) {
      if (!there.contains(group) && !handOvers.isUnderWay(group)) {
        served.remove(group);
        LOG.info("membership: stopped serving node group {}, because it was removed", group);
        decisions.lost().add(new Lost(group, null));
      }
    }
  }

  private void settle(NodeGroup group, OwnershipSnapshot snapshot, Decisions decisions) {
    String name = group.name();
    Tracker planned = snapshot.plannedFor(name);
    Long epoch = served.get(name);
    if (epoch != null) {
      if (planned != null && planned.number() != self && !handOvers.isUnderWay(name)) {
        String reason = reason(snapshot, planned);
        decisions.handOvers().add(handOvers.begin(name, epoch, planned, reason));
      }
      return;
    }
    Tracker owner = snapshot.ownerOf(group);
    Tracker server = owner == null ? planned : owner;
    if (server == null) {
      return;
    }
    if (server.number() == self) {
      decisions.free().add(group);
      return;
    }
    servedElsewhere.put(name, server.address());
    if (owner == null && isNews(group)) {
      decisions.notices().add(new Notice(name, server));
    }
  }

  /** Each tracker that sees a free group notifies the planned tracker once per epoch. */
  private boolean isNews(NodeGroup group) {
    Long notified = notifiedEpochs.put(group.name(), group.epoch());
    return notified == null || notified != group.epoch();
  }

  private String reason(OwnershipSnapshot snapshot, Tracker target) {
    return "the planned shares are %d for this tracker and %d for the other"
        .formatted(snapshot.sharePlannedFor(self), snapshot.sharePlannedFor(target.number()));
  }

  /**
   * The address of the tracker that served the group at the last read, or that was planned to take
   * it; null if that is this tracker, or none. Thread-safe.
   */
  public @Nullable String ownerElsewhere(String nodeGroup) {
    return servedElsewhere.get(nodeGroup);
  }

  /**
   * Takes a free node group.
   *
   * @return the epoch in which this tracker owns it; empty if another tracker was faster
   */
  OptionalLong take(NodeGroup group) {
    if (!groups.takeOwnership(group.name(), self, group.epoch())) {
      return OptionalLong.empty();
    }
    long epoch = group.epoch() + 1;
    served.put(group.name(), epoch);
    servedElsewhere.remove(group.name());
    LOG.info(
        "membership: took node group {}, epoch {}: {}", group.name(), epoch, whyItWasFree(group));
    return OptionalLong.of(epoch);
  }

  private String whyItWasFree(NodeGroup group) {
    Integer owner = group.owner();
    if (owner == null) {
      return "it had no owner";
    }
    return owner == self
        ? "it was handed over to this tracker"
        : "the lease of its owner, tracker " + owner + ", has expired";
  }

  /** Records that a taken node group cannot be served: the next read takes it again. */
  void cannotServe(String nodeGroup) {
    served.remove(nodeGroup);
  }

  /** Writes a hand-over to the store, after claims for the group have been paused. */
  HandedOver handOver(HandOver handOver) {
    String group = handOver.nodeGroup();
    HandedOver result = handOvers.write(handOver, served.get(group));
    switch (result) {
      case WRITTEN -> {
        served.remove(group);
        servedElsewhere.put(group, handOver.target().address());
      }
      case NOT_OWNER -> served.remove(group);
      case ALREADY_LEFT, KEPT -> {}
    }
    return result;
  }

  /**
   * Decides to leave a node group that nothing uses, so that it can be dropped.
   *
   * @return the epoch in which this tracker owns it; empty if it does not own it, is handing it
   *     over, or has ended
   */
  OptionalLong leaveUnused(String nodeGroup) {
    Long epoch = served.get(nodeGroup);
    if (epoch == null || handOvers.hasEnded() || handOvers.isUnderWay(nodeGroup)) {
      return OptionalLong.empty();
    }
    served.remove(nodeGroup);
    return OptionalLong.of(epoch);
  }

  /**
   * Drops a node group that was left because nothing uses it. If something uses the group after
   * all, it stays, and the next read of the store takes it again.
   *
   * @param since the time since which nothing has used it, in epoch milliseconds
   * @return whether it was dropped
   */
  boolean drop(String nodeGroup, long epoch, long since) {
    boolean dropped = groups.drop(nodeGroup, self, epoch, since);
    if (dropped) {
      LOG.info(
          "membership: dropped node group {}, which has been unused since {}",
          nodeGroup,
          Instant.ofEpochMilli(since));
    }
    return dropped;
  }

  /** Hands every group over to the other live trackers, or gives it up; takes no group again. */
  LastDecisions end(long now) {
    LastDecisions decisions = handOvers.end(served, now);
    decisions.givenUp().forEach(owned -> served.remove(owned.nodeGroup()));
    return decisions;
  }

  /** Releases a node group that was given up; if the store failed before, does nothing. */
  void release(Owned owned) {
    handOvers.release(owned);
  }
}
