package io.millrace.jobtracker;

import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.PullReply;
import io.millrace.common.protocol.PullRequest;
import io.millrace.common.rpc.Peer;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.time.Duty;
import io.millrace.common.time.Pace;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.common.time.TimedExecutor;
import io.millrace.common.time.Timer;
import io.millrace.jobtracker.fleet.ReportedGroup;
import io.millrace.jobtracker.membership.GroupOwnership;
import io.millrace.jobtracker.membership.Peers;
import io.millrace.jobtracker.membership.TrackerLease;
import io.millrace.jobtracker.membership.UnusedGroups;
import io.millrace.jobtracker.store.NodeGroupStore.Creator;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.NodeGroupStore.TooManyNodeGroupsException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node groups that this tracker serves, and the two duties that it stays their owner by:
 * renewing its lease and looking who is to serve what. Thread-safe.
 */
final class GroupServices implements GroupOwnership.Service {
  private static final Logger LOG = LoggerFactory.getLogger(GroupServices.class);

  /** For a claim under way, and for the answer of the tracker that takes a group over. */
  private static final Duration HAND_OVER_PATIENCE = Duration.ofSeconds(2);

  private static final Duration DROP_PERIOD = Duration.ofHours(1);

  private final TrackerRooms rooms;
  private final TimedExecutor time;
  private final TrackerLease lease;
  private final GroupOwnership ownership;
  private final SharedLook look;
  private final RepeatedTimer renewLease;
  private final RepeatedTimer own;
  private final RepeatedTimer dropUnused;
  private final Map<String, GroupService> services = new ConcurrentHashMap<>();
  private final Set<String> groupsOfWorkers = ConcurrentHashMap.newKeySet();
  private final NodeGroupConfig config;

  GroupServices(TrackerRooms rooms, TrackerLease lease, Peers peers, NodeGroupConfig config) {
    this.rooms = rooms;
    this.time = rooms.time();
    this.lease = lease;
    this.config = config;
    this.ownership =
        new GroupOwnership(
            rooms.stores().nodeGroups(),
            rooms.stores().trackers(),
            lease,
            this,
            (target, nodeGroup) -> bounded(peers.groupHandedOver(target, nodeGroup)));
    this.look = new SharedLook(time, this::lookOnce);
    this.renewLease = rooms.timer("renew lease", Pace.every(lease.period()), now -> renew());
    this.own =
        rooms.timer(
            "own node groups",
            Pace.every(rooms.config().trackerLease().dividedBy(5)),
            now -> {
              lookOnce();
              return null;
            });
    this.dropUnused = dropUnusedTimer();
  }

  private RepeatedTimer dropUnusedTimer() {
    Duration after = config.dropUnusedAfter();
    boolean isLong = after.isZero() || after.compareTo(DROP_PERIOD) > 0;
    UnusedGroups unused =
        new UnusedGroups(
            rooms.stores().nodeGroups(), ownership, lease.number(), this::hasWorkers, after);
    return rooms.timer(
        "drop unused node groups",
        Pace.every(isLong ? DROP_PERIOD : after),
        Duty.counting("node groups dropped", now -> unused.runOnce(now).size()));
  }

  /** Names of the node groups that are served, in order. */
  List<String> served() {
    return services.keySet().stream().sorted().toList();
  }

  /** Serves what is its to serve, then keeps on by its timers. */
  void start() {
    lookOnce();
    renewLease.start();
    own.start();
    if (!config.dropUnusedAfter().isZero()) {
      dropUnused.start();
    }
  }

  private @Nullable Object renew() {
    boolean kept = lease.renew();
    if (kept && !lease.isCertain()) {
      own.wake();
    }
    return null;
  }

  /** Work that was held back while ownership was in doubt is handed out again. */
  private void lookOnce() {
    boolean wasCertain = lease.isCertain();
    try {
      GroupOwnership.Changed unused = ownership.runOnce(time.millis());
    } finally {
      if (!wasCertain && lease.isCertain()) {
        services.values().forEach(GroupService::dispatch);
      }
    }
  }

  /**
   * Counts as gone at once, so that no group comes back, and hands the groups over. Waits for
   * nothing but what is under way.
   */
  CompletableFuture<Void> stop() {
    CompletableFuture<Void> timers =
        CompletableFuture.allOf(renewLease.destroy(), own.destroy(), dropUnused.destroy());
    try {
      lease.retire();
    } catch (RuntimeException e) {
      LOG.warn("tracker: its lease could not be ended early", e);
    }
    return CompletableFuture.allOf(timers, ownership.handOverAll(time.millis()));
  }

  /** What operators are told of the node groups that are served. */
  List<ReportedGroup> reports() {
    return services.values().stream()
        .map(service -> (ReportedGroup) service.report(lease.number()))
        .toList();
  }

  /** The service of a node group, if this tracker has one. */
  Optional<GroupService> find(String nodeGroup) {
    return Optional.ofNullable(services.get(nodeGroup));
  }

  boolean serves(String nodeGroup) {
    return services.containsKey(nodeGroup);
  }

  /** The address of the tracker that serves the group, if known and not this one. */
  @Nullable String ownerElsewhere(String nodeGroup) {
    return ownership.ownerElsewhere(nodeGroup);
  }

  private boolean hasWorkers(String nodeGroup) {
    return find(nodeGroup).map(GroupService::hasWorkers).orElse(false);
  }

  void ifServed(String nodeGroup, Consumer<GroupService> action) {
    find(nodeGroup).ifPresent(action);
  }

  /** There is a node group that may be new. */
  void groupStored(String nodeGroup) {
    if (!services.containsKey(nodeGroup)) {
      own.wake();
    }
  }

  /**
   * Another tracker says that a node group is this one's now: looks at once instead of with the
   * next beat. Whether that is so the store decides.
   *
   * @return whether this tracker serves the group after the look
   */
  CompletableFuture<Boolean> groupHandedOver(String nodeGroup) {
    return look.soon().thenApply(unused -> services.containsKey(nodeGroup));
  }

  /**
   * A worker that was sent here may come before this tracker knows: so it looks before it sends a
   * worker away.
   */
  CompletionStage<PullReply> pull(Peer worker, PullRequest request) {
    GroupService service = services.get(worker.group());
    if (service != null) {
      if (!lease.isCertain()) {
        own.wake();
      }
      return service.pull(worker, request);
    }
    boolean isNew = groupsOfWorkers.add(worker.group());
    CompletableFuture<Void> looked =
        isNew
            ? CompletableFuture.runAsync(() -> welcome(worker.group()), time.executor())
            : look.soon();
    return looked.thenCompose(unused -> pullServed(worker, request));
  }

  /**
   * The first worker of a group brings its table into being, so that its first job need not wait.
   */
  private void welcome(String group) {
    try {
      NodeGroup unused =
          rooms.stores().nodeGroups().ensure(group, Creator.WORKERS, config.bounds());
      lookOnce();
    } catch (RuntimeException e) {
      // Only groups that exist are kept, and of those there is a bound.
      groupsOfWorkers.remove(group);
      if (e instanceof IllegalArgumentException || e instanceof TooManyNodeGroupsException) {
        throw new RpcException(ErrorCode.BAD_REQUEST, String.valueOf(e.getMessage()), e);
      }
      throw e;
    }
  }

  private CompletionStage<PullReply> pullServed(Peer worker, PullRequest request) {
    GroupService service = services.get(worker.group());
    if (service != null) {
      return service.pull(worker, request);
    }
    String owner = ownership.ownerElsewhere(worker.group());
    if (owner == null) {
      // Perhaps it was removed: the next pull makes it again.
      groupsOfWorkers.remove(worker.group());
    }
    return CompletableFuture.completedFuture(PullReply.notOwner(owner));
  }

  // What ownership decides.

  @Override
  public void serve(String nodeGroup, long epoch) {
    GroupService service = new GroupService(rooms.group(nodeGroup, epoch), rooms, lease::isCertain);
    service.start();
    services.put(nodeGroup, service);
    rooms.metrics().groupServed(nodeGroup, service.state());
  }

  @Override
  public CompletableFuture<Void> pause(String nodeGroup) {
    GroupService service = services.get(nodeGroup);
    return service == null
        ? CompletableFuture.completedFuture(null)
        : bounded(service.pause().thenApply(unused -> true)).thenAccept(ended -> {});
  }

  @Override
  public void resume(String nodeGroup) {
    ifServed(nodeGroup, GroupService::resume);
  }

  @Override
  public CompletableFuture<Void> leave(
      String nodeGroup, CompletableFuture<Optional<String>> owner) {
    GroupService service = services.get(nodeGroup);
    if (service == null) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> unused = service.stop();
    return owner.thenAccept(
        address -> {
          services.remove(nodeGroup, service);
          rooms.metrics().groupLeft(nodeGroup, service.state());
          service.close(address.orElse(null));
        });
  }

  /** As the future, but after a while gives up waiting for it and says no. */
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
