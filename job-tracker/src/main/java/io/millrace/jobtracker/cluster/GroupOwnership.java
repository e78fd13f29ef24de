package io.millrace.jobtracker.cluster;

import io.millrace.jobtracker.domain.balance.GroupBalance;
import io.millrace.jobtracker.domain.balance.GroupBalance.Placement;
import io.millrace.jobtracker.store.NodeGroupStore;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.TrackerStore;
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
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which node groups this tracker serves while its epoch is valid. Of the groups that no
 * live tracker serves, it takes its share; the groups above its share it hands over. It writes
 * ownership to the store and returns the resulting actions; {@link GroupTransfers} carries them
 * out. Called under the lock of {@link GroupTransfers}, except {@link #ownerElsewhere}, which is
 * thread-safe.
 *
 * <p>A hand-over leaves no gap: claims stop, the store names the target, the target is notified,
 * and only then are the waiting workers sent to it. If the target is gone by then, the group is
 * free when the target's lease has run out.
 */
public final class GroupOwnership {
  private static final Logger LOG = LoggerFactory.getLogger(GroupOwnership.class);

  private final NodeGroupStore groups;
  private final TrackerStore trackers;
  private final TrackerLease lease;
  private final int self;
  private final Map<String, Long> served = new TreeMap<>();
  private final Map<String, Integer> handingOver = new HashMap<>();
  private final Map<String, String> servedElsewhere = new ConcurrentHashMap<>();
  private final Map<String, Long> notifiedEpochs = new HashMap<>();
  private boolean ended;
  private boolean storeFailed;

  public GroupOwnership(NodeGroupStore groups, TrackerStore trackers, TrackerLease lease) {
    this.groups = groups;
    this.trackers = trackers;
    this.lease = lease;
    this.self = lease.number();
  }

  /**
   * The actions that follow from one read of the store, to be done in this order.
   *
   * @param lost groups to leave: another tracker owns them, or they were removed
   * @param doubts the doubts of the lease before the read: they are settled once the lost groups
   *     are left
   * @param free groups to take
   * @param handOvers groups to hand over
   * @param meantForOthers free groups that another tracker must take and may not know of yet
   */
  public record Decisions(
      List<Lost> lost,
      long doubts,
      List<NodeGroup> free,
      List<HandOver> handOvers,
      List<HandOver> meantForOthers) {}

  /**
   * A node group that this tracker no longer serves.
   *
   * @param owner address of the tracker that serves it; null if it is not known
   */
  public record Lost(String nodeGroup, @Nullable String owner) {}

  /**
   * A node group that another tracker is to serve.
   *
   * @param epoch the epoch in which this tracker serves it; 0 if it does not
   * @param target the tracker that is to serve it
   * @param reason for the log
   */
  public record HandOver(String nodeGroup, long epoch, Tracker target, String reason) {}

  /** The result of a hand-over in the store. */
  public enum HandedOver {
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
  public record LastDecisions(List<Owned> givenUp, List<HandOver> handOvers) {}

  /** A node group and the epoch in which this tracker served it. */
  public record Owned(String nodeGroup, long epoch) {}

  /** The state of the store: live trackers, node groups, and the tracker planned for each group. */
  private record Snapshot(
      Map<Integer, Tracker> live, List<NodeGroup> groups, Map<String, Integer> plan) {

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
  }

  /**
   * Reads the store and decides: leave the groups that others have taken, take the free groups
   * within this tracker's share, hand over the groups above its share.
   *
   * @return empty if this tracker has ended or does not hold its lease
   */
  public Optional<Decisions> decide(long now) {
    if (ended || (!lease.isHeld() && !lease.renew())) {
      return Optional.empty();
    }
    long doubts = lease.doubts();
    Snapshot snapshot = read(now);
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

  private Snapshot read(long now) {
    Map<Integer, Tracker> live =
        trackers.live(now).stream().collect(Collectors.toMap(Tracker::number, Function.identity()));
    List<NodeGroup> all = groups.all();
    return new Snapshot(live, all, plan(live, all));
  }

  /** A group that is being handed over counts as the target's already. */
  private Map<String, Integer> plan(Map<Integer, Tracker> live, List<NodeGroup> all) {
    return GroupBalance.plan(
        live.keySet(),
        all.stream()
            .map(
                group ->
                    new Placement(
                        group.name(), handingOver.getOrDefault(group.name(), group.owner())))
            .toList());
  }

  private void leaveIfLost(NodeGroup group, Snapshot snapshot, Decisions decisions) {
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
        owner == null ? "no tracker" : nameOf(owner),
        group.epoch());
    decisions.lost().add(new Lost(group.name(), owner == null ? null : owner.address()));
  }

  /**
   * Leaves node groups that were removed, by an operator or by their owner. If a removed group is
   * created again, its epochs start anew. So its recorded server and the epoch of its last notice
   * are dropped.
   */
  private void leaveRemoved(Snapshot snapshot, Decisions decisions) {
    Set<String> there = snapshot.groups().stream().map(NodeGroup::name).collect(Collectors.toSet());
    servedElsewhere.keySet().retainAll(there);
    notifiedEpochs.keySet().retainAll(there);
    for (String group : List.copyOf(served.keySet())) {
      if (!there.contains(group) && !handingOver.containsKey(group)) {
        served.remove(group);
        LOG.info("membership: stopped serving node group {}, because it was removed", group);
        decisions.lost().add(new Lost(group, null));
      }
    }
  }

  private void settle(NodeGroup group, Snapshot snapshot, Decisions decisions) {
    String name = group.name();
    Tracker planned = snapshot.plannedFor(name);
    Long epoch = served.get(name);
    if (epoch != null) {
      if (planned != null && planned.number() != self && !handingOver.containsKey(name)) {
        decisions.handOvers().add(beginHandOver(name, epoch, planned, reason(snapshot, planned)));
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
      decisions.meantForOthers().add(new HandOver(name, 0, server, "it has no owner"));
    }
  }

  /** Each tracker that sees a free group notifies the planned tracker once per epoch. */
  private boolean isNews(NodeGroup group) {
    Long notified = notifiedEpochs.put(group.name(), group.epoch());
    return notified == null || notified != group.epoch();
  }

  private HandOver beginHandOver(String group, long epoch, Tracker target, String reason) {
    handingOver.put(group, target.number());
    return new HandOver(group, epoch, target, reason);
  }

  private String reason(Snapshot snapshot, Tracker target) {
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
  public OptionalLong take(NodeGroup group) {
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
  public void cannotServe(String nodeGroup) {
    served.remove(nodeGroup);
  }

  /** Writes a hand-over to the store, after claims for the group have been paused. */
  public HandedOver handOver(HandOver handOver) {
    String group = handOver.nodeGroup();
    handingOver.remove(group);
    if (served.getOrDefault(group, 0L) != handOver.epoch()) {
      return HandedOver.ALREADY_LEFT;
    }
    Tracker target = handOver.target();
    boolean written = false;
    if (!storeFailed) {
      try {
        written = groups.handOver(group, self, handOver.epoch(), target.number());
      } catch (RuntimeException e) {
        LOG.warn(
            "membership: node group {} could not be handed over to {}", group, nameOf(target), e);
        if (!ended) {
          return HandedOver.KEPT;
        }
        storeFailed = true;
      }
    }
    served.remove(group);
    if (!written) {
      return HandedOver.NOT_OWNER;
    }
    servedElsewhere.put(group, target.address());
    LOG.info(
        "membership: handed node group {} over to {}, epoch {}: {}",
        group,
        nameOf(target),
        handOver.epoch() + 1,
        handOver.reason());
    return HandedOver.WRITTEN;
  }

  /**
   * Decides to leave a node group that nothing uses, so that it can be dropped.
   *
   * @return the epoch in which this tracker owns it; empty if it does not own it, is handing it
   *     over, or has ended
   */
  public OptionalLong leaveUnused(String nodeGroup) {
    Long epoch = served.get(nodeGroup);
    if (epoch == null || ended || handingOver.containsKey(nodeGroup)) {
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
  public boolean drop(String nodeGroup, long epoch, long since) {
    boolean dropped = groups.drop(nodeGroup, self, epoch, since);
    if (dropped) {
      LOG.info(
          "membership: dropped node group {}, which has been unused since {}",
          nodeGroup,
          Instant.ofEpochMilli(since));
    }
    return dropped;
  }

  private static String nameOf(Tracker tracker) {
    return "tracker " + tracker.number() + " at " + tracker.address();
  }

  /** Hands every group over to the other live trackers, or gives it up; takes no group again. */
  public LastDecisions end(long now) {
    ended = true;
    Snapshot others = readOthers(now);
    LastDecisions decisions = new LastDecisions(new ArrayList<>(), new ArrayList<>());
    new TreeMap<>(served)
        .forEach(
            (group, epoch) -> {
              Tracker target = others.plannedFor(group);
              if (target == null) {
                served.remove(group);
                decisions.givenUp().add(new Owned(group, epoch));
              } else {
                decisions
                    .handOvers()
                    .add(beginHandOver(group, epoch, target, "this tracker is stopping"));
              }
            });
    return decisions;
  }

  private Snapshot readOthers(long now) {
    if (!served.isEmpty()) {
      try {
        Map<Integer, Tracker> others =
            trackers.live(now).stream()
                .filter(tracker -> tracker.number() != self)
                .collect(Collectors.toMap(Tracker::number, Function.identity()));
        List<NodeGroup> all = others.isEmpty() ? List.of() : groups.all();
        return new Snapshot(others, all, plan(others, all));
      } catch (RuntimeException e) {
        LOG.warn("membership: the trackers that could take over the node groups cannot be read", e);
        storeFailed = true;
      }
    }
    return new Snapshot(Map.of(), List.of(), Map.of());
  }

  /** Releases a node group that was given up; if the store failed before, does nothing. */
  public void release(Owned owned) {
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
