package io.millrace.jobtracker.wiring;

import io.millrace.api.TrackerHealth;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.DeclareRequest;
import io.millrace.internal.protocol.ExplainRequest;
import io.millrace.internal.protocol.HandOverRequest;
import io.millrace.internal.protocol.HealthRequest;
import io.millrace.internal.protocol.HintRequest;
import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeptRequest;
import io.millrace.internal.protocol.LogRequest;
import io.millrace.internal.protocol.PartsRequest;
import io.millrace.internal.protocol.PauseRequest;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.ResumeRequest;
import io.millrace.internal.protocol.RunNowRequest;
import io.millrace.internal.protocol.StageRequest;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.protocol.TerminateRequest;
import io.millrace.internal.rpc.Session;
import io.millrace.jobtracker.cluster.ConnectedNodes;
import io.millrace.jobtracker.cluster.GroupRegistry;
import io.millrace.jobtracker.cluster.HintReader;
import io.millrace.jobtracker.cluster.TrackerLease;
import io.millrace.jobtracker.complete.CompletionService;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.snapshot.GroupView;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.engine.PeriodicService;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.engine.WakeUp;
import io.millrace.jobtracker.explain.Explainer;
import io.millrace.jobtracker.group.GroupContext;
import io.millrace.jobtracker.group.GroupEngine;
import io.millrace.jobtracker.group.GroupSignals;
import io.millrace.jobtracker.group.pull.JobDefinitions;
import io.millrace.jobtracker.joblog.JobLogWriter;
import io.millrace.jobtracker.kept.KeepService;
import io.millrace.jobtracker.metrics.TrackerMetrics;
import io.millrace.jobtracker.parts.PartsService;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.request.RequestTable;
import io.millrace.jobtracker.store.StoreHealth;
import io.millrace.jobtracker.submit.JobServices;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a running tracker. They are made once the tracker has its number, each after the
 * parts that it needs. Thread-safe.
 */
public final class Engine {
  private final IdSequence ids;
  private final JobServices jobs;
  private final HealthCheck health;
  private final ConnectedNodes nodes;
  private final ClusterWiring cluster;
  private final Services services = new Services();
  private final Runnable stopCounting;

  /**
   * Makes an engine.
   *
   * @param storeHealth reports whether the store answers
   * @param lease the lease of this tracker's number
   * @param address the address at which nodes reach this tracker
   * @param metrics the meters of this tracker
   * @param requests receives the method that answers each request type
   */
  public static Engine of(
      TrackerSettings settings,
      TrackerRuntime runtime,
      StoreHealth storeHealth,
      TrackerLease lease,
      String address,
      TrackerMetrics metrics,
      RequestTable requests) {
    return new Engine(
        EngineInputs.of(settings, runtime, storeHealth, lease, address, metrics), requests);
  }

  private Engine(EngineInputs inputs, RequestTable requests) {
    TrackerSettings settings = inputs.settings();
    GroupRegistry<GroupEngine> groups = new GroupRegistry<>();
    WakeUp lookForGroups = new WakeUp();
    WakeUp pushFeedback = new WakeUp();
    this.nodes =
        new ConnectedNodes(
            pushFeedback::wake,
            worker ->
                groups.find(worker.group()).ifPresent(group -> group.pulls().disconnected(worker)));
    this.cluster = ClusterWiring.of(inputs, nodes::clientGroups);
    EngineContext context =
        inputs.context(new GroupSignals(groups, lookForGroups, pushFeedback, cluster.peers()));
    this.ids = context.ids();
    StoreQuotas quotas = new StoreQuotas(inputs.stores().nodeGroups(), settings.quotas());
    JobServices.Bounds bounds = inputs.jobBounds(quotas);
    this.jobs = JobServices.of(bounds, context);
    CompletionService completions =
        CompletionService.of(inputs.lease().number(), context, quotas, bounds.features()::refusal);
    OwnershipWiring ownership =
        OwnershipWiring.of(
            inputs, groups, groupContext(inputs, context, completions), cluster, lookForGroups);
    this.health = inputs.healthCheck(groups::names);
    this.services.add(new PeriodicService(cluster.knowPeers(), true));
    this.services.add(ownership.renewal());
    this.services.add(ownership.service());
    this.services.addUsual(inputs, context, nodes, quotas, pushFeedback);
    this.services.addReporters(inputs, groups, nodes);

    answerChanges(requests, jobs);
    answerQuestions(requests, explainer(inputs, context, groups, nodes), health);
    this.services.add(StatusWiring.of(inputs, context, requests));
    requests.on(PullRequest.class, ownership.pulls()::pull);
    requests.on(CompleteRequest.class, completions::complete);
    KeepService keep = new KeepService(inputs.stores(), quotas, context.time());
    requests.on(KeepRequest.class, keep::keep);
    requests.on(KeptRequest.class, keep::kept);
    answerParts(
        requests, new PartsService(inputs.stores(), bounds.features()::refusal, context.time()));
    requests.on(LogRequest.class, new JobLogWriter(inputs.stores(), quotas, context.time())::log);
    GroupSignals here = new GroupSignals(groups, lookForGroups, pushFeedback, Signals.NONE);
    requests.on(HintRequest.class, new HintReader(here, nodes::clientGroups)::read);
    requests.on(HandOverRequest.class, ownership.pulls()::handOver);
    this.stopCounting = inputs.stores().transactions().listen(inputs.listener());
  }

  private static void answerParts(RequestTable requests, PartsService parts) {
    requests.on(StageRequest.class, parts::stage);
    requests.on(PartsRequest.class, parts::read);
  }

  private static GroupContext groupContext(
      EngineInputs inputs, EngineContext context, CompletionService completions) {
    return new GroupContext(
        inputs.settings().service(),
        context,
        completions,
        new JobDefinitions(inputs.stores().jobs()),
        new JsonCodec(),
        inputs.lease().number(),
        inputs.lease()::isCertain);
  }

  private static void answerChanges(RequestTable requests, JobServices jobs) {
    requests.on(SubmitRequest.class, jobs.submitter()::submit);
    requests.on(DeclareRequest.class, jobs.declarer()::declare);
    requests.on(CancelRequest.class, jobs.canceller()::cancel);
    requests.on(PauseRequest.class, jobs.pauser()::pause);
    requests.on(ResumeRequest.class, (client, request) -> jobs.resumer().resume(request));
    requests.on(RunNowRequest.class, jobs.runNow()::runNow);
    requests.on(TerminateRequest.class, jobs.terminator()::terminate);
  }

  private static void answerQuestions(
      RequestTable requests, Explainer explainer, HealthCheck health) {
    requests.on(ExplainRequest.class, (client, request) -> explainer.explain(request));
    requests.on(
        HealthRequest.class, (client, request) -> CompletableFuture.completedFuture(health.read()));
  }

  private static Explainer explainer(
      EngineInputs inputs,
      EngineContext context,
      GroupRegistry<GroupEngine> groups,
      ConnectedNodes nodes) {
    return new Explainer(
        inputs.stores(),
        context.time(),
        inputs.timing(),
        name ->
            groups
                .find(name)
                .map(
                    group ->
                        GroupView.of(
                            nodes.workers(name),
                            group.stats(),
                            group.pulls().workers().offers(),
                            group.pulls().freeSlotsOf(),
                            group.awaited())));
  }

  /** Starts the services: takes the node groups assigned to this tracker and starts the timers. */
  public void start() {
    services.start();
  }

  /**
   * Stops serving at once and hands the groups over. The future completes when the runs under way
   * have ended; nothing else is waited for.
   */
  public CompletableFuture<Void> stop() {
    return services
        .stop()
        .whenComplete(
            (stopped, failure) -> {
              cluster.peers().close();
              stopCounting.run();
            });
  }

  /**
   * Records a connection. If the peer is a tracker, it may be new, so the live trackers are read at
   * once.
   */
  public void connected(Session session) {
    if (session.peer().role() == NodeRole.TRACKER) {
      cluster.knowPeers().wake();
    } else {
      nodes.connected(session);
    }
  }

  /** The addresses of the live trackers. */
  public List<String> trackers() {
    return cluster.peers().addresses();
  }

  /** Writes a new trigger in place of a dead one. */
  public CompletableFuture<ReplayResult> replay(
      long deadId, @Nullable Map<String, String> params, String by) {
    return jobs.replays().replay(deadId, params, by);
  }

  /** Replays a dead run that was split, without the parts that succeeded. */
  public CompletableFuture<ReplayResult> replayKeeping(long deadId, String by) {
    return jobs.replays().replayKeeping(deadId, by);
  }

  /** Issues the ids of this tracker. */
  public IdSequence ids() {
    return ids;
  }

  /** The health of this tracker. */
  public TrackerHealth health() {
    return health.read();
  }
}
