package io.millrace.jobtracker.membership;

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
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which node groups this tracker serves, for as long as its epoch stands: of those that
 * nobody alive serves it takes its share, and what it has above its share it hands over.
 * Thread-safe; it asks the store under its lock.
 *
 * <p>A hand-over leaves no gap: claims stop, the store names the target, the target is told, and
 * only then are the waiting workers sent there. Should the target be gone by then, the group is
 * free when its lease has run out.
 */
public final class GroupOwnership {
  private static final Logger LOG = LoggerFactory.getLogger(GroupOwnership.class);

  /** Begins and ends the service of a node group. */
  public interface Service {
    /** Begins; an exception means that it is tried again. */
    void serve(String nodeGroup, long epoch);

    /**
     * Claims nothing more for now.
     *
     * @return completed when the claims under way have been answered, or have taken too long
     */
    CompletableFuture<Void> pause(String nodeGroup);

    /** Claims again. */
    void resume(String nodeGroup);

    /**
     * Ends. Workers that wait are answered when the new owner's address comes in, if there is one.
     *
     * @return completed when they have been
     */
    CompletableFuture<Void> leave(String nodeGroup, CompletableFuture<Optional<String>> owner);
  }

  private final NodeGroupStore groups;
  private final TrackerStore trackers;
  private final TrackerLease lease;
  private final int self;
  private final Service service;
  private final Peers peers;
  private final Map<String, Long> served = new TreeMap<>();
  private final Map<String, Integer> handingOver = new HashMap<>();
  private final Map<String, String> servedElsewhere = new ConcurrentHashMap<>();
  private final Map<String, Long> toldEpochs = new HashMap<>();
  private boolean ended;
  private boolean storeFailed;

  public GroupOwnership(
      NodeGroupStore groups,
      TrackerStore trackers,
      TrackerLease lease,
      Service service,
      Peers peers) {
    this.groups = groups;
    this.trackers = trackers;
    this.lease = lease;
    this.self = lease.number();
    this.service = service;
    this.peers = peers;
  }

  /**
   * What one run changed.
   *
   * @param taken groups served from now on
   * @param lost groups served no more, because another tracker has them or they were removed
   * @param handedOver groups that this tracker has begun to hand over
   */
  public record Changed(List<String> taken, List<String> lost, List<String> handedOver) {
    static Changed nothing() {
      return new Changed(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    public boolean isNothing() {
      return taken.isEmpty() && lost.isEmpty() && handedOver.isEmpty();
    }
  }

  /** What the store says: who is alive, and who is to serve what. */
  private record Look(
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
   * Looks at the store, leaves what others have taken, takes what is its to take and begins to hand
   * over what is above its share. A group that cannot be served keeps no other from it: what it
   * threw comes out when all have been seen, and it is tried again the next time.
   */
  public synchronized Changed runOnce(long now) {
    Changed changed = Changed.nothing();
    if (ended || (!lease.isHeld() && !lease.renew())) {
      return changed;
    }
    long doubts = lease.doubts();
    Look look = look(now);
    look.groups().forEach(group -> leaveIfLost(group, look, changed));
    leaveRemoved(look, changed);
    lease.looked(doubts);
    if (look.live().containsKey(self)) {
      settleAll(look, changed);
    }
    return changed;
  }

  private Look look(long now) {
    Map<Integer, Tracker> live =
        trackers.live(now).stream().collect(Collectors.toMap(Tracker::number, Function.identity()));
    List<NodeGroup> all = groups.all();
    return new Look(live, all, plan(live, all));
  }

  /** What is being handed over counts as the target's already. */
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

  private void leaveIfLost(NodeGroup group, Look look, Changed changed) {
    Long epoch = served.get(group.name());
    if (epoch == null
        || (epoch == group.epoch() && group.owner() != null && group.owner() == self)) {
      return;
    }
    served.remove(group.name());
    Tracker owner = look.ownerOf(group);
    LOG.info(
        "membership: lost node group {}, epoch {}: {} has it in epoch {}",
        group.name(),
        epoch,
        owner == null ? "nobody" : nameOf(owner),
        group.epoch());
    leave(group.name(), owner == null ? null : owner.address());
    changed.lost().add(group.name());
  }

  /**
   * The node group was removed, by an operator or by its owner; it may come back, and its epochs
   * begin anew. Where it was served need not be known any more.
   */
  private void leaveRemoved(Look look, Changed changed) {
    Set<String> there = look.groups().stream().map(NodeGroup::name).collect(Collectors.toSet());
    servedElsewhere.keySet().retainAll(there);
    toldEpochs.keySet().retainAll(there);
    for (String group : List.copyOf(served.keySet())) {
      if (!there.contains(group) && !handingOver.containsKey(group)) {
        served.remove(group);
        LOG.info("membership: node group {} is left: it was removed", group);
        leave(group, null);
        changed.lost().add(group);
      }
    }
  }

  private void settleAll(Look look, Changed changed) {
    RuntimeException failure = null;
    for (NodeGroup group : look.groups()) {
      try {
        settle(group, look, changed);
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void settle(NodeGroup group, Look look, Changed changed) {
    String name = group.name();
    Tracker planned = look.plannedFor(name);
    if (served.containsKey(name)) {
      if (planned != null && planned.number() != self && !handingOver.containsKey(name)) {
        changed.handedOver().add(name);
        CompletableFuture<Void> unused = handOver(name, planned, reason(look, planned));
      }
      return;
    }
    Tracker owner = look.ownerOf(group);
    boolean isMine = owner == null ? isSelf(planned) : isSelf(owner);
    if (isMine && take(group)) {
      changed.taken().add(name);
      servedElsewhere.remove(name);
      return;
    }
    Tracker elsewhere = owner == null ? planned : owner;
    if (elsewhere != null && !isSelf(elsewhere)) {
      servedElsewhere.put(name, elsewhere.address());
      if (owner == null) {
        tellOnce(group, elsewhere);
      }
    }
  }

  private boolean isSelf(@Nullable Tracker tracker) {
    return tracker != null && tracker.number() == self;
  }

  private String reason(Look look, Tracker target) {
    return "shares are now %d for this tracker and %d for that one"
        .formatted(look.sharePlannedFor(self), look.sharePlannedFor(target.number()));
  }

  /** Whoever sees first that a group is free tells the one it is meant for. */
  private void tellOnce(NodeGroup group, Tracker target) {
    Long told = toldEpochs.put(group.name(), group.epoch());
    if (told == null || told != group.epoch()) {
      CompletableFuture<Boolean> unused = peers.groupHandedOver(target, group.name());
    }
  }

  /**
   * Address of the tracker that served the group when this last looked, or that was to take it;
   * null if that is this one, or nobody. Thread-safe.
   */
  public @Nullable String ownerElsewhere(String nodeGroup) {
    return servedElsewhere.get(nodeGroup);
  }

  private boolean take(NodeGroup group) {
    if (!groups.takeOwnership(group.name(), self, group.epoch())) {
      return false;
    }
    long epoch = group.epoch() + 1;
    served.put(group.name(), epoch);
    try {
      service.serve(group.name(), epoch);
    } catch (RuntimeException | Error e) {
      served.remove(group.name());
      throw e;
    }
    LOG.info(
        "membership: took node group {}, epoch {}: {}", group.name(), epoch, whyItWasFree(group));
    return true;
  }

  private String whyItWasFree(NodeGroup group) {
    Integer owner = group.owner();
    if (owner == null) {
      return "nobody served it";
    }
    return owner == self
        ? "it was handed to this tracker"
        : "tracker " + owner + " served it, and its lease is over";
  }

  private CompletableFuture<Void> handOver(String group, Tracker target, String reason) {
    long epoch = served.getOrDefault(group, 0L);
    handingOver.put(group, target.number());
    return service.pause(group).thenCompose(unused -> finishHandOver(group, epoch, target, reason));
  }

  private synchronized CompletableFuture<Void> finishHandOver(
      String group, long epoch, Tracker target, String reason) {
    handingOver.remove(group);
    if (served.getOrDefault(group, 0L) != epoch) {
      return CompletableFuture.completedFuture(null);
    }
    boolean written = false;
    if (!storeFailed) {
      try {
        written = groups.handOver(group, self, epoch, target.number());
      } catch (RuntimeException e) {
        LOG.warn("membership: node group {} was not handed to {}", group, nameOf(target), e);
        if (!ended) {
          service.resume(group);
          return CompletableFuture.completedFuture(null);
        }
        storeFailed = true;
      }
    }
    served.remove(group);
    if (!written) {
      return leave(group, null);
    }
    servedElsewhere.put(group, target.address());
    LOG.info(
        "membership: handed node group {} over to {}, epoch {}: {}",
        group,
        nameOf(target),
        epoch + 1,
        reason);
    Optional<String> address = Optional.of(target.address());
    CompletableFuture<Boolean> told = peers.groupHandedOver(target, group);
    return service.leave(
        group,
        ended ? CompletableFuture.completedFuture(address) : told.handle((served, e) -> address));
  }

  private CompletableFuture<Void> leave(String group, @Nullable String owner) {
    return service.leave(group, CompletableFuture.completedFuture(Optional.ofNullable(owner)));
  }

  /**
   * Leaves a node group that nothing uses and drops it. If something uses it after all, it stays,
   * and is taken again with the next look.
   *
   * @param since when nothing has used it from, in epoch milliseconds
   * @return whether it was dropped
   */
  public synchronized boolean dropUnused(String group, long since) {
    Long epoch = served.get(group);
    if (epoch == null || ended || handingOver.containsKey(group)) {
      return false;
    }
    served.remove(group);
    leave(group, null);
    boolean dropped = groups.drop(group, self, epoch, since);
    if (dropped) {
      LOG.info(
          "membership: dropped node group {}: nothing has used it since {}",
          group,
          Instant.ofEpochMilli(since));
    }
    return dropped;
  }

  private static String nameOf(Tracker tracker) {
    return "tracker " + tracker.number() + " at " + tracker.address();
  }

  /**
   * Hands every group over to the other live trackers, or gives it up if there is none, and takes
   * none any more. What nobody is there to take is left before the store is asked, which may be
   * gone.
   *
   * @return completed when all workers that waited have been answered
   */
  public synchronized CompletableFuture<Void> handOverAll(long now) {
    ended = true;
    Look others = lookAtOthers(now);
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    Map<String, Long> givenUp = new TreeMap<>();
    for (Map.Entry<String, Long> entry : new TreeMap<>(served).entrySet()) {
      Tracker target = others.plannedFor(entry.getKey());
      if (target == null) {
        givenUp.put(entry.getKey(), entry.getValue());
        served.remove(entry.getKey());
        ends.add(leave(entry.getKey(), null));
      } else {
        ends.add(handOver(entry.getKey(), target, "this tracker stops"));
      }
    }
    givenUp.forEach(this::release);
    return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
  }

  private Look lookAtOthers(long now) {
    if (!served.isEmpty()) {
      try {
        Map<Integer, Tracker> others =
            trackers.live(now).stream()
                .filter(tracker -> tracker.number() != self)
                .collect(Collectors.toMap(Tracker::number, Function.identity()));
        List<NodeGroup> all = others.isEmpty() ? List.of() : groups.all();
        return new Look(others, all, plan(others, all));
      } catch (RuntimeException e) {
        LOG.warn("membership: who could take the node groups cannot be read", e);
        storeFailed = true;
      }
    }
    return new Look(Map.of(), List.of(), Map.of());
  }

  private void release(String group, long epoch) {
    if (storeFailed) {
      return;
    }
    try {
      groups.release(group, self, epoch);
      LOG.info("membership: left node group {} to nobody: this tracker stops", group);
    } catch (RuntimeException e) {
      LOG.warn("membership: node group {} is not free until the lease is over", group, e);
      storeFailed = true;
    }
  }
}
