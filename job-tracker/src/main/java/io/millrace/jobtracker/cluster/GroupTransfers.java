package io.millrace.jobtracker.cluster;

import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import io.millrace.jobtracker.cluster.GroupHandOvers.HandOver;
import io.millrace.jobtracker.cluster.GroupHandOvers.LastDecisions;
import io.millrace.jobtracker.cluster.GroupOwnership.Decisions;
import io.millrace.jobtracker.cluster.GroupOwnership.Lost;
import io.millrace.jobtracker.cluster.GroupOwnership.Notice;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the decisions of {@link GroupOwnership}: starts serving the node groups that were
 * taken, stops serving those that were lost, and hands over those planned for other trackers.
 * Thread-safe; one run at a time.
 *
 * @param <G> the object that serves a node group
 */
public final class GroupTransfers<G extends GroupTransfers.Group> {
  /** The longest wait for a claim under way, and for the answer of the target tracker. */
  private static final Duration HAND_OVER_PATIENCE = Duration.ofSeconds(2);

  /** A node group that is served. */
  public interface Group {
    /** Starts serving; after an exception, the group is tried again with another object. */
    void start();

    /** Stops claiming for now; completes when the claims under way have been answered. */
    CompletableFuture<Void> pause();

    /** Resumes claiming. */
    void resume();

    /** Assigns due triggers, after a time in which claims were not allowed. */
    void dispatch();

    /** Ends the periodic tasks and stops claiming; pulls stay parked until {@link #close}. */
    CompletableFuture<Void> stop();

    /**
     * Answers the parked pulls and all later ones.
     *
     * @param owner address of the tracker that serves the group now; null if it is not known
     */
    void close(@Nullable String owner);
  }

  /** Creates the object that serves a node group in an epoch. */
  @FunctionalInterface
  public interface Factory<G> {
    G create(String nodeGroup, long epoch);
  }

  private final GroupOwnership ownership;
  private final GroupRegistry<G> registry;
  private final Factory<G> factory;
  private final TrackerLease lease;
  private final Peers peers;
  private final TimedExecutor time;
  private boolean ended;

  public GroupTransfers(
      GroupOwnership ownership,
      GroupRegistry<G> registry,
      Factory<G> factory,
      TrackerLease lease,
      Peers peers,
      TimedExecutor time) {
    this.ownership = ownership;
    this.registry = registry;
    this.factory = factory;
    this.lease = lease;
    this.peers = peers;
    this.time = time;
  }

  /**
   * The changes of one run.
   *
   * @param taken groups served from now on
   * @param lost groups no longer served, because another tracker owns them or they were removed
   * @param handedOver groups that this tracker has begun to hand over
   */
  public record Changed(List<String> taken, List<String> lost, List<String> handedOver) {
    static final Changed NOTHING = new Changed(List.of(), List.of(), List.of());

    public boolean isNothing() {
      return taken.isEmpty() && lost.isEmpty() && handedOver.isEmpty();
    }
  }

  /**
   * Reads the store and carries out the decisions. A group that cannot be served does not block the
   * others: its exception is thrown after all groups have been processed, and the next run tries it
   * again.
   */
  public synchronized Changed runOnce(long now) {
    Optional<Decisions> decided = ownership.decide(now);
    if (decided.isEmpty()) {
      return Changed.NOTHING;
    }
    Decisions decisions = decided.get();
    for (Lost lost : decisions.lost()) {
      leaveNow(lost.nodeGroup(), lost.owner());
    }
    lease.looked(decisions.doubts());
    for (HandOver handOver : decisions.handOvers()) {
      CompletableFuture<Void> unused = handOver(handOver);
    }
    for (Notice free : decisions.notices()) {
      CompletableFuture<Boolean> unused = peers.groupHandedOver(free.taker(), free.nodeGroup());
    }
    return new Changed(
        take(decisions.free()),
        decisions.lost().stream().map(Lost::nodeGroup).toList(),
        decisions.handOvers().stream().map(HandOver::nodeGroup).toList());
  }

  private List<String> take(List<NodeGroup> free) {
    List<String> taken = new ArrayList<>();
    RuntimeException failure = null;
    for (NodeGroup group : free) {
      try {
        OptionalLong epoch = ownership.take(group);
        if (epoch.isPresent()) {
          serve(group.name(), epoch.getAsLong());
          taken.add(group.name());
        }
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
    return taken;
  }

  private void serve(String nodeGroup, long epoch) {
    try {
      G group = factory.create(nodeGroup, epoch);
      group.start();
      registry.put(nodeGroup, group);
    } catch (RuntimeException | Error e) {
      ownership.cannotServe(nodeGroup);
      throw e;
    }
  }

  private CompletableFuture<Void> handOver(HandOver handOver) {
    G group = registry.get(handOver.nodeGroup());
    CompletableFuture<Boolean> paused =
        group == null
            ? CompletableFuture.completedFuture(true)
            : bounded(group.pause().thenApply(unused -> true));
    return paused.thenCompose(unused -> finish(handOver));
  }

  private synchronized CompletableFuture<Void> finish(HandOver handOver) {
    String nodeGroup = handOver.nodeGroup();
    return switch (ownership.handOver(handOver)) {
      case ALREADY_LEFT -> CompletableFuture.completedFuture(null);
      case KEPT -> {
        registry.find(nodeGroup).ifPresent(Group::resume);
        yield CompletableFuture.completedFuture(null);
      }
      case NOT_OWNER -> leaveNow(nodeGroup, null);
      case WRITTEN -> {
        String address = handOver.target().address();
        CompletableFuture<Boolean> notified =
            bounded(peers.groupHandedOver(handOver.target(), nodeGroup));
        yield ended
            ? leaveNow(nodeGroup, address)
            : leave(nodeGroup, notified.handle((served, failure) -> Optional.of(address)));
      }
    };
  }

  private CompletableFuture<Void> leaveNow(String nodeGroup, @Nullable String owner) {
    return leave(nodeGroup, CompletableFuture.completedFuture(Optional.ofNullable(owner)));
  }

  /** Answers the parked pulls once the new owner's address, if any, is known. */
  private CompletableFuture<Void> leave(
      String nodeGroup, CompletableFuture<Optional<String>> owner) {
    G group = registry.get(nodeGroup);
    if (group == null) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> unused = group.stop();
    return owner.thenAccept(
        address -> {
          registry.remove(nodeGroup, group);
          group.close(address.orElse(null));
        });
  }

  /**
   * Leaves a node group that nothing uses and drops it.
   *
   * @param since the time since which nothing has used it, in epoch milliseconds
   * @return whether it was dropped
   */
  public synchronized boolean dropUnused(String nodeGroup, long since) {
    OptionalLong epoch = ownership.leaveUnused(nodeGroup);
    if (epoch.isEmpty()) {
      return false;
    }
    CompletableFuture<Void> unused = leaveNow(nodeGroup, null);
    return ownership.drop(nodeGroup, epoch.getAsLong(), since);
  }

  /**
   * Hands every group over to the other live trackers, or gives it up if there is none, and takes
   * no group again. The groups that no tracker can take are left before the store is called,
   * because the store may be unavailable.
   *
   * @return completed when all parked pulls have been answered
   */
  public synchronized CompletableFuture<Void> end(long now) {
    ended = true;
    LastDecisions decisions = ownership.end(now);
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    decisions.givenUp().forEach(owned -> ends.add(leaveNow(owned.nodeGroup(), null)));
    decisions.handOvers().forEach(handOver -> ends.add(handOver(handOver)));
    decisions.givenUp().forEach(ownership::release);
    return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
  }

  /** Completes like the future, or with false after {@link #HAND_OVER_PATIENCE}. */
  private CompletableFuture<Boolean> bounded(CompletableFuture<Boolean> future) {
    if (future.isDone()) {
      return future;
    }
    CompletableFuture<Boolean> bounded = future.copy();
    Timer.Timeout timeout =
        time.schedule(
            HAND_OVER_PATIENCE,
            () -> {
              boolean unused = bounded.complete(false);
            });
    CompletableFuture<Boolean> unused = bounded.whenComplete((result, e) -> timeout.cancel());
    return bounded;
  }
}
