package io.millrace.jobtracker;

import io.millrace.common.codec.JsonCodec;
import io.millrace.common.model.NodeRole;
import io.millrace.common.protocol.CancelRequest;
import io.millrace.common.protocol.CompleteRequest;
import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.ExplainRequest;
import io.millrace.common.protocol.LogRequest;
import io.millrace.common.protocol.PauseRequest;
import io.millrace.common.protocol.PullReply;
import io.millrace.common.protocol.PullRequest;
import io.millrace.common.protocol.ResumeRequest;
import io.millrace.common.protocol.RunNowRequest;
import io.millrace.common.protocol.SubmitRequest;
import io.millrace.common.protocol.TerminateRequest;
import io.millrace.common.rpc.Peer;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.rpc.Session;
import io.millrace.common.time.Duty;
import io.millrace.common.time.Pace;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.common.time.Timer;
import io.millrace.jobtracker.complete.CompletionDesk;
import io.millrace.jobtracker.complete.FeedbackPusher;
import io.millrace.jobtracker.domain.explain.GroupView;
import io.millrace.jobtracker.domain.explain.Timing;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.JobPlanner;
import io.millrace.jobtracker.explain.Explainer;
import io.millrace.jobtracker.joblog.JobLogWriter;
import io.millrace.jobtracker.membership.ConnectedNodes;
import io.millrace.jobtracker.membership.GroupOwnership;
import io.millrace.jobtracker.membership.TrackerLease;
import io.millrace.jobtracker.pull.JobDefinitions;
import io.millrace.jobtracker.purge.Purger;
import io.millrace.jobtracker.reconcile.NodeGroupTables;
import io.millrace.jobtracker.reconcile.Reconciled;
import io.millrace.jobtracker.rpc.RequestRouter;
import io.millrace.jobtracker.signal.Signals;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.NodeGroupStore.TooManyNodeGroupsException;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.submit.SubmitRoom;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rooms of a running tracker, wired. Made once the tracker has its number; sees everything, so
 * that no room has to. Thread-safe.
 */
final class TrackerCore implements Signals, RequestRouter.Rooms, GroupOwnership.Service {
  private static final Logger LOG = LoggerFactory.getLogger(TrackerCore.class);
  private static final Duration FEEDBACK_PERIOD = Duration.ofSeconds(5);

  private final TrackerRuntime runtime;
  private final ConnectedNodes nodes;
  private final SubmitRoom submitRoom;
  private final CompletionDesk completionDesk;
  private final JobLogWriter jobLog;
  private final Explainer explainer;
  private final TrackerRooms rooms;
  private final GroupOwnership ownership;
  private final RepeatedTimer renewLease;
  private final RepeatedTimer own;
  private final RepeatedTimer pushFeedback;
  private final PurgeService purge;
  private final RepeatedTimer reconcileTables;
  private final Map<String, GroupService> services = new ConcurrentHashMap<>();
  private final Set<String> groupsOfWorkers = ConcurrentHashMap.newKeySet();
  private final int maxNodeGroups;

  TrackerCore(TrackerSettings settings, TrackerRuntime runtime, TrackerLease lease) {
    this.runtime = runtime;
    this.maxNodeGroups = settings.maxNodeGroups();
    Stores stores = runtime.stores();
    JsonCodec codec = new JsonCodec();
    IdSequence ids = new IdSequence(lease.number(), stores.trackers().highestId());
    JobPlanner planner = new JobPlanner(settings.defaultZone(), settings.generation());
    this.submitRoom =
        SubmitRoom.open(
            new SubmitRoom.Bounds(settings.defaultZone(), settings.maxNodeGroups()),
            stores,
            codec,
            planner,
            ids,
            runtime.time(),
            this);
    this.completionDesk =
        CompletionDesk.open(
            lease.number(), stores, ids, runtime.time(), this, runtime.random(), planner);
    this.jobLog = new JobLogWriter(stores, runtime.time().executor());
    this.explainer = new Explainer(stores, runtime.time(), timing(settings), this::view);
    this.rooms =
        new TrackerRooms(
            settings.service(),
            stores,
            codec,
            ids,
            runtime.time(),
            runtime.random(),
            planner,
            this,
            completionDesk,
            new JobDefinitions(stores.jobs()));
    this.nodes = new ConnectedNodes(this::feedbackStored, this::disconnected);
    this.ownership =
        new GroupOwnership(stores.nodeGroups(), stores.trackers(), lease.number(), this);
    Duration trackerLease = settings.service().trackerLease();
    this.renewLease =
        rooms.timer(
            "renew lease",
            Pace.every(trackerLease.dividedBy(3)),
            now -> {
              boolean unused = lease.renew();
              return null;
            });
    this.own = rooms.timer("own node groups", Pace.every(trackerLease.dividedBy(5)), this::ownOnce);
    this.pushFeedback = feedbackTimer(stores);
    this.reconcileTables = tablesTimer(stores, settings.service().reconcilePeriod());
    this.purge = new PurgeService(new Purger(stores, lease.number(), settings.retention()), rooms);
  }

  private static Timing timing(TrackerSettings settings) {
    return new Timing(
        settings.defaultZone(),
        settings.generation().misfireThreshold(),
        settings.service().workerLease(),
        settings.service().trackerLease());
  }

  /** What this tracker has in memory of a node group that it serves. */
  private Optional<GroupView> view(String nodeGroup) {
    return Optional.ofNullable(services.get(nodeGroup))
        .map(service -> service.view(nodes.workers(nodeGroup)));
  }

  /**
   * What is in doubt is looked at again soon: a table may be so new that its row is yet to come.
   */
  private RepeatedTimer tablesTimer(Stores stores, Duration period) {
    NodeGroupTables tables = new NodeGroupTables(stores.nodeGroups(), this);
    return rooms.timer(
        "reconcile tables",
        Pace.every(period),
        now -> {
          Reconciled done = tables.runOnce(now);
          if (tables.isInDoubt()) {
            Timer.Timeout unused =
                runtime
                    .time()
                    .schedule(Duration.ofMillis(NodeGroupTables.GRACE_MILLIS), this::lookAgain);
          }
          return done.isNothing() ? null : done;
        });
  }

  private void lookAgain() {
    reconcileTables.wake();
  }

  private RepeatedTimer feedbackTimer(Stores stores) {
    FeedbackPusher pusher =
        new FeedbackPusher(
            stores.feedback(),
            new FeedbackPusher.Clients() {
              @Override
              public Set<String> groups() {
                return nodes.clientGroups();
              }

              @Override
              public List<Session> of(String clientGroup) {
                return nodes.clients(clientGroup);
              }
            },
            runtime.time().executor(),
            this::feedbackStored);
    return rooms.timer(
        "push feedback",
        Pace.every(FEEDBACK_PERIOD),
        Duty.counting("feedback pushes begun", now -> pusher.runOnce()));
  }

  /** Serves what is free, then keeps on by its timers. */
  void start() {
    ownOnce(runtime.time().millis());
    renewLease.start();
    own.start();
    pushFeedback.start();
    purge.start();
    reconcileTables.start();
    reconcileTables.wake();
  }

  @SuppressWarnings("NullAway") // a duty that did nothing says so by null
  private Object ownOnce(long now) {
    GroupOwnership.Changed changed;
    synchronized (ownership) {
      changed = ownership.runOnce(now);
    }
    return changed.isNothing() ? null : changed;
  }

  /** Stops serving at once, hands the groups over, and waits for nothing but runs under way. */
  CompletableFuture<Void> stop() {
    CompletableFuture<Void> timers =
        CompletableFuture.allOf(
            renewLease.destroy(),
            own.destroy(),
            pushFeedback.destroy(),
            purge.stop(),
            reconcileTables.destroy());
    synchronized (ownership) {
      ownership.releaseAll();
    }
    return timers;
  }

  void connected(Session session) {
    nodes.connected(session);
  }

  private void disconnected(Session session) {
    if (session.peer().role() == NodeRole.WORKER) {
      GroupService service = services.get(session.peer().group());
      if (service != null) {
        service.disconnected(session.peer().nodeId());
      }
    }
  }

  // What nodes ask.

  @Override
  public CompletionStage<?> submit(Peer client, SubmitRequest request) {
    return submitRoom.submit(client, request);
  }

  @Override
  public CompletionStage<?> cancel(Peer client, CancelRequest request) {
    return submitRoom.cancel(request);
  }

  @Override
  public CompletionStage<?> pause(Peer client, PauseRequest request) {
    return submitRoom.pause(client, request);
  }

  @Override
  public CompletionStage<?> resume(Peer client, ResumeRequest request) {
    return submitRoom.resume(request);
  }

  @Override
  public CompletionStage<?> runNow(Peer client, RunNowRequest request) {
    return submitRoom.runNow(client, request);
  }

  @Override
  public CompletionStage<?> terminate(Peer client, TerminateRequest request) {
    return submitRoom.terminate(client, request);
  }

  @Override
  public CompletionStage<?> explain(Peer client, ExplainRequest request) {
    return explainer.explain(request);
  }

  @Override
  public CompletionStage<?> pull(Peer worker, PullRequest request) {
    GroupService service = services.get(worker.group());
    if (service != null) {
      return service.pull(worker, request);
    }
    if (!groupsOfWorkers.add(worker.group())) {
      return CompletableFuture.completedFuture(notOwner(worker.group()));
    }
    return CompletableFuture.runAsync(() -> welcome(worker.group()), runtime.time().executor())
        .thenCompose(unused -> pullServed(worker, request));
  }

  /**
   * The first worker of a group brings its table into being, so that its first job need not wait.
   */
  private void welcome(String group) {
    try {
      NodeGroup unused = runtime.stores().nodeGroups().ensure(group, maxNodeGroups);
      ownOnce(runtime.time().millis());
    } catch (RuntimeException e) {
      // Only groups that exist are kept, and of those there is a bound.
      groupsOfWorkers.remove(group);
      if (e instanceof IllegalArgumentException || e instanceof TooManyNodeGroupsException) {
        throw new RpcException(ErrorCode.BAD_REQUEST, String.valueOf(e.getMessage()), e);
      }
      throw e;
    }
  }

  /**
   * Another tracker says that a node group is this one's now: looks at once instead of with the
   * next beat. Whether that is so the store decides.
   *
   * @return whether this tracker serves the group after the look
   */
  CompletableFuture<Boolean> groupHandedOver(String nodeGroup) {
    return CompletableFuture.supplyAsync(
        () -> {
          Object unused = ownOnce(runtime.time().millis());
          return services.containsKey(nodeGroup);
        },
        runtime.time().executor());
  }

  private CompletionStage<PullReply> pullServed(Peer worker, PullRequest request) {
    GroupService service = services.get(worker.group());
    return service == null
        ? CompletableFuture.completedFuture(notOwner(worker.group()))
        : service.pull(worker, request);
  }

  private PullReply notOwner(String group) {
    return PullReply.notOwner(ownership.ownerElsewhere(group));
  }

  @Override
  public CompletionStage<?> complete(Peer worker, CompleteRequest request) {
    return completionDesk.complete(worker, request);
  }

  @Override
  public CompletionStage<?> log(Peer worker, LogRequest request) {
    return jobLog.log(worker, request);
  }

  // What rooms tell.

  @Override
  public void nodeGroupStored(String nodeGroup) {
    if (!services.containsKey(nodeGroup)) {
      own.wake();
    }
  }

  @Override
  public void triggersStored(String nodeGroup, long earliestDueAt) {
    GroupService service = services.get(nodeGroup);
    if (service != null) {
      service.triggersStored(earliestDueAt, runtime.time().millis());
    }
  }

  @Override
  public void executionsEnded(String nodeGroup, Collection<Long> executionIds) {
    GroupService service = services.get(nodeGroup);
    if (service != null) {
      service.executionsEnded(executionIds);
    }
  }

  @Override
  public void stopRequested(String nodeGroup, Collection<Long> executionIds) {
    GroupService service = services.get(nodeGroup);
    if (service != null) {
      service.stopRequested(executionIds);
    }
  }

  @Override
  public void terminated(String nodeGroup, Collection<Long> executionIds) {
    GroupService service = services.get(nodeGroup);
    if (service != null) {
      service.terminated(executionIds);
    }
  }

  @Override
  public void feedbackStored() {
    pushFeedback.wake();
  }

  // What ownership decides.

  @Override
  public void serve(String nodeGroup, long epoch) {
    GroupService service = new GroupService(rooms.group(nodeGroup, epoch), rooms);
    service.start();
    services.put(nodeGroup, service);
    LOG.info("tracker: serves node group {} in epoch {}", nodeGroup, epoch);
  }

  @Override
  public void leave(String nodeGroup) {
    GroupService service = services.remove(nodeGroup);
    if (service != null) {
      CompletableFuture<Void> unused = service.stop();
      LOG.info("tracker: serves node group {} no more", nodeGroup);
    }
  }
}
