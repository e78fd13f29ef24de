package io.millrace.jobtracker.wiring;

import io.millrace.internal.time.Duty;
import io.millrace.internal.time.Pace;
import io.millrace.jobtracker.cluster.ConnectedNodes;
import io.millrace.jobtracker.cluster.GroupRegistry;
import io.millrace.jobtracker.complete.FeedbackPusher;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.engine.EngineService;
import io.millrace.jobtracker.engine.PeriodicService;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.engine.WakeUp;
import io.millrace.jobtracker.fleet.FleetReport;
import io.millrace.jobtracker.fleet.FleetService;
import io.millrace.jobtracker.fleet.MinuteReport;
import io.millrace.jobtracker.group.GroupEngine;
import io.millrace.jobtracker.group.GroupMeasuring;
import io.millrace.jobtracker.group.reconcile.NodeGroupTables;
import io.millrace.jobtracker.group.reconcile.TablesTask;
import io.millrace.jobtracker.metrics.TrackerMetrics;
import io.millrace.jobtracker.observe.TrackerObserver;
import io.millrace.jobtracker.purge.PurgeTask;
import io.millrace.jobtracker.purge.Purger;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.store.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The periodic tasks of a tracker, except those of its node groups. */
final class Services {
  private static final Duration FEEDBACK_PERIOD = Duration.ofSeconds(5);
  private static final Duration QUOTA_PERIOD = Duration.ofSeconds(15);

  private final List<EngineService> services = new ArrayList<>();

  void add(EngineService service) {
    services.add(service);
  }

  /** Adds the services that every tracker has. */
  void addUsual(
      EngineInputs inputs,
      EngineContext context,
      ConnectedNodes nodes,
      StoreQuotas quotas,
      WakeUp pushFeedback) {
    Stores stores = inputs.stores();
    Timers timers = inputs.timers();
    addFeedback(inputs, nodes, pushFeedback);
    Purger purger = new Purger(stores, inputs.lease().number(), inputs.settings().retention());
    WakeUp purgeAgain = new WakeUp();
    PurgeTask purge = new PurgeTask(purger, timers.time(), purgeAgain);
    Pace purgePace = Pace.every(PurgeTask.PERIOD);
    add(new PeriodicService(timers.timer("purge", purgePace, purgeAgain, purge), false));
    WakeUp reconcileAgain = new WakeUp();
    NodeGroupTables tables = new NodeGroupTables(stores.nodeGroups(), context.signals());
    TablesTask reconcile = new TablesTask(tables, timers.time(), reconcileAgain);
    Pace reconcilePace = Pace.every(inputs.settings().service().reconcilePeriod());
    add(
        new PeriodicService(
            timers.timer("reconcile tables", reconcilePace, reconcileAgain, reconcile), true));
    Pace quotaPace = Pace.every(QUOTA_PERIOD);
    add(
        new PeriodicService(
            timers.timer("measure tables", quotaPace, now -> quotas.runOnce()), true));
  }

  private void addFeedback(EngineInputs inputs, ConnectedNodes nodes, WakeUp pushFeedback) {
    Timers timers = inputs.timers();
    FeedbackPusher pusher =
        new FeedbackPusher(
            inputs.stores().feedback(),
            inputs.stores().results(),
            nodes::clientGroups,
            nodes::clients,
            timers.time(),
            pushFeedback::wake);
    Duty push =
        now -> {
          int unused = pusher.runOnce();
          return null;
        };
    Pace pushPace = Pace.every(FEEDBACK_PERIOD);
    add(new PeriodicService(timers.timer("push feedback", pushPace, pushFeedback, push), false));
  }

  /** Adds the services that measure and report, if metrics are watched or there is an observer. */
  void addReporters(EngineInputs inputs, GroupRegistry<GroupEngine> groups, ConnectedNodes nodes) {
    TrackerMetrics metrics = inputs.metrics();
    Stores stores = inputs.stores();
    Timers timers = inputs.timers();
    ServiceConfig.Reports periods = inputs.settings().service().reports();
    if (metrics.isWatched() || inputs.isObserved()) {
      GroupMeasuring measuring =
          new GroupMeasuring(
              groups,
              nodes::workersByGroup,
              stores.feedback(),
              inputs.observer(),
              timers,
              periods.measure());
      metrics.feedback(measuring::feedbackWaiting);
      add(measuring);
    }
    if (metrics.isWatched()) {
      int tracker = inputs.lease().number();
      FleetReport report =
          new FleetReport(
              stores.console().fleet(), stores.waiting(), tracker, () -> List.copyOf(groups.all()));
      MinuteReport counts =
          new MinuteReport(stores.console().fleet().counts(), tracker, metrics::takeCounts);
      add(new FleetService(report, counts, timers, periods.fleet()));
    }
    add(new ObserverService(inputs.observer()));
    metrics.connections(inputs.runtime().rpc().counts());
    metrics.trackerStarted(inputs.lease()::left, () -> groups.names().size());
  }

  /** Starts the services in the order in which they were added. */
  void start() {
    services.forEach(EngineService::start);
  }

  /** Stops all services at once, and finishes them when all have stopped, even if one failed. */
  CompletableFuture<Void> stop() {
    CompletableFuture<Void> stopped = all(EngineService::stop);
    return stopped
        .handle((done, failure) -> all(EngineService::finish))
        .thenCompose(finished -> finished)
        .thenCompose(finished -> stopped);
  }

  private CompletableFuture<Void> all(Function<EngineService, CompletableFuture<Void>> step) {
    return CompletableFuture.allOf(services.stream().map(step).toArray(CompletableFuture[]::new));
  }

  /** Runs an observer with the services. */
  private record ObserverService(TrackerObserver observer) implements EngineService {

    @Override
    public void start() {
      observer.start();
    }

    @Override
    public CompletableFuture<Void> stop() {
      return observer.stop();
    }

    @Override
    public CompletableFuture<Void> finish() {
      return observer.finish();
    }
  }
}
