package io.millrace.jobtracker;

import io.millrace.common.codec.JsonCodec;
import io.millrace.common.model.NodeRole;
import io.millrace.common.model.TrackerHealth;
import io.millrace.common.protocol.CancelRequest;
import io.millrace.common.protocol.CompleteRequest;
import io.millrace.common.protocol.ExplainRequest;
import io.millrace.common.protocol.HandOverReply;
import io.millrace.common.protocol.HandOverRequest;
import io.millrace.common.protocol.HealthRequest;
import io.millrace.common.protocol.HintRequest;
import io.millrace.common.protocol.LogRequest;
import io.millrace.common.protocol.PauseRequest;
import io.millrace.common.protocol.PullRequest;
import io.millrace.common.protocol.ResumeRequest;
import io.millrace.common.protocol.RunNowRequest;
import io.millrace.common.protocol.SubmitRequest;
import io.millrace.common.protocol.TerminateRequest;
import io.millrace.common.rpc.Peer;
import io.millrace.common.rpc.Session;
import io.millrace.common.time.Duty;
import io.millrace.common.time.Pace;
import io.millrace.common.time.RepeatedTimer;
import io.millrace.common.time.Timer;
import io.millrace.jobtracker.alert.AlertDesk;
import io.millrace.jobtracker.alert.Alerting;
import io.millrace.jobtracker.complete.CompletionDesk;
import io.millrace.jobtracker.complete.FeedbackPusher;
import io.millrace.jobtracker.domain.explain.GroupView;
import io.millrace.jobtracker.domain.explain.Timing;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.JobPlanner;
import io.millrace.jobtracker.domain.trigger.ReplayResult;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.explain.Explainer;
import io.millrace.jobtracker.joblog.JobLogWriter;
import io.millrace.jobtracker.membership.ConnectedNodes;
import io.millrace.jobtracker.membership.TrackerLease;
import io.millrace.jobtracker.metrics.TrackerMetrics;
import io.millrace.jobtracker.peers.HintReader;
import io.millrace.jobtracker.peers.PeerTrackers;
import io.millrace.jobtracker.pull.JobDefinitions;
import io.millrace.jobtracker.purge.Purger;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.reconcile.NodeGroupTables;
import io.millrace.jobtracker.reconcile.Reconciled;
import io.millrace.jobtracker.rpc.RequestRouter;
import io.millrace.jobtracker.signal.Measures;
import io.millrace.jobtracker.signal.Signals;
import io.millrace.jobtracker.store.BelievedLeases;
import io.millrace.jobtracker.store.StoreHealth;
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
import org.jspecify.annotations.Nullable;

/**
 * The rooms of a running tracker, wired. Made once the tracker has its number; sees everything, so
 * that no room has to. Thread-safe.
 */
final class TrackerCore implements Signals, RequestRouter.Rooms {
  private static final Duration FEEDBACK_PERIOD = Duration.ofSeconds(5);
  private static final Duration QUOTA_PERIOD = Duration.ofSeconds(15);

  private final TrackerRuntime runtime;
  private final IdSequence ids;
  private final TrackerHealthCheck health;
  private final ConnectedNodes nodes;
  private final SubmitRoom submitRoom;
  private final CompletionDesk completionDesk;
  private final JobLogWriter jobLog;
  private final Explainer explainer;
  private final TrackerRooms rooms;
  private final PeerTrackers peers;
  private final HintReader hints;
  private final RepeatedTimer knowPeers;
  private final GroupServices groups;
  private final RepeatedTimer pushFeedback;
  private final PurgeService purge;
  private final @Nullable MeasuringService measuring;
  private final @Nullable FleetService fleet;
  private final @Nullable AlertService alerts;
  private final RepeatedTimer reconcileTables;
  private final RepeatedTimer measureTables;
  private final Signals here = new Here();

  /**
   * @param storeHealth whether the store answers
   * @param address where nodes reach this tracker
   * @param metrics what is measured
   */
  TrackerCore(
      TrackerSettings settings,
      TrackerRuntime runtime,
      StoreHealth storeHealth,
      TrackerLease lease,
      String address,
      TrackerMetrics metrics) {
    this.runtime = runtime;
    Alerting alerting = runtime.alerting();
    AlertDesk desk = alerting == null ? null : new AlertDesk(alerting.rules(), address);
    Stores believed = believed(runtime, settings.service().trackerLease());
    Stores stores = desk == null ? metrics.around(believed) : metrics.around(believed, desk::ended);
    JsonCodec codec = new JsonCodec();
    this.ids = new IdSequence(lease.number(), stores.trackers().highestId(), lease::isHeld);
    JobPlanner planner = new JobPlanner(settings.defaultZone(), settings.generation());
    StoreQuotas quotas = new StoreQuotas(stores.nodeGroups(), settings.quotas());
    this.submitRoom =
        SubmitRoom.open(
            new SubmitRoom.Bounds(settings.defaultZone(), settings.nodeGroups().bounds(), quotas),
            stores,
            codec,
            planner,
            ids,
            runtime.time(),
            this,
            metrics);
    this.completionDesk =
        CompletionDesk.open(
            lease.number(), stores, ids, runtime.time(), this, runtime.random(), planner, metrics);
    this.jobLog = new JobLogWriter(stores, quotas, runtime.time());
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
            new JobDefinitions(stores.jobs()),
            metrics,
            desk == null ? metrics : Measures.both(metrics, desk));
    this.nodes = new ConnectedNodes(here::feedbackStored, this::disconnected);
    this.peers =
        new PeerTrackers(
            stores.trackers(),
            new PeerTrackers.Self(lease.number(), address),
            runtime.peers(),
            this::ownerElsewhere,
            nodes::clientGroups,
            gone -> {
              if (desk != null) {
                desk.trackerGone(gone, runtime.time().millis());
              }
            });
    this.hints = new HintReader(here, nodes::clientGroups);
    this.knowPeers =
        rooms.timer(
            "know peers",
            Pace.every(settings.service().trackerLease().dividedBy(5)),
            Duty.counting("trackers came or went", peers::runOnce));
    this.groups = new GroupServices(rooms, lease, peers::groupHandedOver, settings.nodeGroups());
    this.health =
        new TrackerHealthCheck(settings.trackerId(), address, lease, storeHealth, groups::served);
    this.pushFeedback = feedbackTimer(stores);
    this.reconcileTables = tablesTimer(stores, settings.service().reconcilePeriod());
    this.measureTables =
        rooms.timer("measure tables", Pace.every(QUOTA_PERIOD), now -> quotas.runOnce());
    this.purge = new PurgeService(new Purger(stores, lease.number(), settings.retention()), rooms);
    this.measuring =
        metrics.isWatched() || desk != null
            ? new MeasuringService(rooms, groups, nodes, desk)
            : null;
    this.fleet = metrics.isWatched() ? new FleetService(rooms, groups, lease.number()) : null;
    this.alerts =
        alerting == null || desk == null
            ? null
            : new AlertService(desk, alerting, rooms, () -> health.look().trouble());
    metrics.connections(runtime.rpc().counts());
    metrics.trackerStarted(lease::left, () -> groups.served().size());
  }

  private static Stores believed(TrackerRuntime runtime, Duration lease) {
    Stores stores = runtime.stores();
    return stores.withTrackers(
        new BelievedLeases(stores.trackers(), runtime.time().clock(), lease));
  }

  private static Timing timing(TrackerSettings settings) {
    return new Timing(
        settings.defaultZone(),
        settings.generation().misfireThreshold(),
        settings.service().workerLease(),
        settings.service().trackerLease(),
        settings.service().priorityAgeing(),
        settings.service().timeoutGrace());
  }

  /** What this tracker has in memory of a node group that it serves. */
  private Optional<GroupView> view(String nodeGroup) {
    return groups.find(nodeGroup).map(service -> service.view(nodes.workers(nodeGroup)));
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
            runtime.time(),
            here::feedbackStored);
    return rooms.timer(
        "push feedback",
        Pace.every(FEEDBACK_PERIOD),
        now -> {
          int unused = pusher.runOnce();
          return null;
        });
  }

  /** Serves what is free, then keeps on by its timers. */
  void start() {
    knowPeers.start();
    knowPeers.wake();
    groups.start();
    pushFeedback.start();
    purge.start();
    reconcileTables.start();
    reconcileTables.wake();
    measureTables.start();
    measureTables.wake();
    if (measuring != null) {
      measuring.start();
    }
    if (fleet != null) {
      fleet.start();
    }
    if (alerts != null) {
      alerts.start();
    }
  }

  /** Stops serving at once, hands the groups over, and waits for nothing but runs under way. */
  CompletableFuture<Void> stop() {
    CompletableFuture<Void> stopped =
        CompletableFuture.allOf(
                knowPeers.destroy(),
                pushFeedback.destroy(),
                purge.stop(),
                reconcileTables.destroy(),
                measureTables.destroy(),
                measuring == null ? CompletableFuture.completedFuture(null) : measuring.stop(),
                fleet == null ? CompletableFuture.completedFuture(null) : fleet.stop(),
                groups.stop())
            .whenComplete(
                (done, failure) -> {
                  if (fleet != null) {
                    fleet.writeLast();
                  }
                  peers.close();
                });
    AlertService last = alerts;
    return last == null
        ? stopped
        : stopped
            .handle((done, failure) -> last.stop())
            .thenCompose(told -> told)
            .thenCompose(told -> stopped);
  }

  /** A tracker that calls may be new: whoever is here is looked up at once. */
  void connected(Session session) {
    if (session.peer().role() == NodeRole.TRACKER) {
      knowPeers.wake();
    } else {
      nodes.connected(session);
    }
  }

  /** Addresses of the trackers that are alive. */
  List<String> trackers() {
    return peers.addresses();
  }

  private @Nullable String ownerElsewhere(String nodeGroup) {
    return groups.ownerElsewhere(nodeGroup);
  }

  private void disconnected(Session session) {
    if (session.peer().role() == NodeRole.WORKER) {
      groups.ifServed(session.peer().group(), service -> service.disconnected(session.peer()));
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
  public CompletionStage<?> health(Peer client, HealthRequest request) {
    return CompletableFuture.completedFuture(health.look());
  }

  /** Writes a new trigger in the place of a dead one. */
  CompletableFuture<ReplayResult> replay(
      long deadId, @Nullable Map<String, String> params, String by) {
    return submitRoom.replay(deadId, params, by);
  }

  /** Issues the ids of this tracker. */
  IdSequence ids() {
    return ids;
  }

  /** How this tracker is. */
  TrackerHealth health() {
    return health.look();
  }

  @Override
  public CompletionStage<?> explain(Peer client, ExplainRequest request) {
    return explainer.explain(request);
  }

  @Override
  public CompletionStage<?> pull(Peer worker, PullRequest request) {
    return groups.pull(worker, request);
  }

  @Override
  public CompletionStage<?> complete(Peer worker, CompleteRequest request) {
    return completionDesk.complete(worker, request);
  }

  @Override
  public CompletionStage<?> log(Peer worker, LogRequest request) {
    return jobLog.log(worker, request);
  }

  @Override
  public CompletionStage<?> hint(Peer tracker, HintRequest request) {
    return CompletableFuture.completedFuture(hints.read(request));
  }

  @Override
  public CompletionStage<?> handOver(Peer tracker, HandOverRequest request) {
    return groups.groupHandedOver(request.nodeGroup()).thenApply(HandOverReply::new);
  }

  // What rooms tell: the rooms of this tracker, and whoever serves what this one does not.

  @Override
  public void nodeGroupStored(String nodeGroup) {
    here.nodeGroupStored(nodeGroup);
    peers.nodeGroupStored(nodeGroup);
  }

  @Override
  public void triggersStored(String nodeGroup, long earliestDueAt) {
    here.triggersStored(nodeGroup, earliestDueAt);
    if (!groups.serves(nodeGroup)) {
      peers.triggersStored(nodeGroup, earliestDueAt);
    }
  }

  @Override
  public void triggersStored(String nodeGroup, List<WaitingTrigger> rows) {
    here.triggersStored(nodeGroup, rows);
    if (!groups.serves(nodeGroup)) {
      peers.triggersStored(nodeGroup, rows);
    }
  }

  @Override
  public void executionsEnded(String nodeGroup, Collection<Long> executionIds) {
    here.executionsEnded(nodeGroup, executionIds);
    if (!groups.serves(nodeGroup)) {
      peers.executionsEnded(nodeGroup, executionIds);
    }
  }

  @Override
  public void stopRequested(String nodeGroup, Collection<Long> executionIds) {
    here.stopRequested(nodeGroup, executionIds);
    if (!groups.serves(nodeGroup)) {
      peers.stopRequested(nodeGroup, executionIds);
    }
  }

  @Override
  public void terminated(String nodeGroup, Collection<Long> executionIds) {
    here.terminated(nodeGroup, executionIds);
    if (!groups.serves(nodeGroup)) {
      peers.terminated(nodeGroup, executionIds);
    }
  }

  @Override
  public void feedbackStored() {
    here.feedbackStored();
    peers.feedbackStored();
  }

  /** Wakes the rooms of this tracker, and tells nobody else. */
  private final class Here implements Signals {
    @Override
    public void nodeGroupStored(String nodeGroup) {
      groups.groupStored(nodeGroup);
    }

    @Override
    public void triggersStored(String nodeGroup, long earliestDueAt) {
      groups.ifServed(
          nodeGroup, service -> service.triggersStored(earliestDueAt, runtime.time().millis()));
    }

    @Override
    public void triggersStored(String nodeGroup, List<WaitingTrigger> rows) {
      groups.ifServed(nodeGroup, service -> service.triggersStored(rows, runtime.time().millis()));
    }

    @Override
    public void executionsEnded(String nodeGroup, Collection<Long> executionIds) {
      groups.ifServed(nodeGroup, service -> service.executionsEnded(executionIds));
    }

    @Override
    public void stopRequested(String nodeGroup, Collection<Long> executionIds) {
      groups.ifServed(nodeGroup, service -> service.stopRequested(executionIds));
    }

    @Override
    public void terminated(String nodeGroup, Collection<Long> executionIds) {
      groups.ifServed(nodeGroup, service -> service.terminated(executionIds));
    }

    @Override
    public void feedbackStored() {
      pushFeedback.wake();
    }
  }
}
