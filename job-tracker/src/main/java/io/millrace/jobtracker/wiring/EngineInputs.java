package io.millrace.jobtracker.wiring;

import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.cluster.TrackerLease;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.domain.job.JobPlanner;
import io.millrace.jobtracker.domain.snapshot.Timing;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.engine.EngineListener;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.metrics.TrackerMetrics;
import io.millrace.jobtracker.observe.ObservedTracker;
import io.millrace.jobtracker.observe.TrackerObserver;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.store.BelievedLeases;
import io.millrace.jobtracker.store.LiveTrackers;
import io.millrace.jobtracker.store.StoreHealth;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TrackerStore;
import io.millrace.jobtracker.submit.JobServices;
import io.millrace.jobtracker.submit.job.FeatureGate;
import java.util.List;
import java.util.function.Supplier;

/**
 * The parts from which an engine is made, and parts that are derived from these alone.
 *
 * @param storeHealth reports whether the store answers
 * @param lease the lease of this tracker's number
 * @param address the address at which nodes reach this tracker
 * @param metrics the meters of this tracker
 * @param observer watches this tracker
 * @param stores the stores, with live trackers that are {@link BelievedLeases}
 */
record EngineInputs(
    TrackerSettings settings,
    TrackerRuntime runtime,
    StoreHealth storeHealth,
    TrackerLease lease,
    String address,
    TrackerMetrics metrics,
    TrackerObserver observer,
    Stores stores) {

  static EngineInputs of(
      TrackerSettings settings,
      TrackerRuntime runtime,
      StoreHealth storeHealth,
      TrackerLease lease,
      String address,
      TrackerMetrics metrics) {
    Stores kept = runtime.stores();
    Stores believed =
        kept.with(
            LiveTrackers.class,
            live ->
                new BelievedLeases(
                    live, runtime.time().clock(), settings.service().trackerLease()));
    TrackerObserver.Factory observing = runtime.observing();
    TrackerObserver observer =
        observing == null
            ? TrackerObserver.NONE
            : observing.observe(
                new ObservedTracker(
                    address,
                    believed.waiting(),
                    () -> HealthCheck.trouble(lease, storeHealth),
                    runtime.time(),
                    runtime.random(),
                    metrics.registry()));
    return new EngineInputs(
        settings, runtime, storeHealth, lease, address, metrics, observer, believed);
  }

  boolean isObserved() {
    return observer != TrackerObserver.NONE;
  }

  EngineListener listener() {
    return isObserved() ? EngineListener.observed(metrics, observer) : metrics;
  }

  Timers timers() {
    return new Timers(runtime.time(), runtime.random());
  }

  /** Makes what every part of the engine uses; issues ids above those in the store. */
  EngineContext context(Signals signals) {
    return new EngineContext(
        stores,
        new IdSequence(lease.number(), stores.trackers().highestId(), lease::isHeld),
        new JobPlanner(settings.defaultZone(), settings.generation()),
        signals,
        listener(),
        timers());
  }

  /** Makes the bounds on submits; jobs may use what every tracker of the store knows. */
  JobServices.Bounds jobBounds(StoreQuotas quotas) {
    TrackerStore trackers = stores.trackers();
    Clock clock = runtime.time().clock();
    LiveTrackers holders =
        new BelievedLeases(trackers::holders, clock, settings.service().trackerLease());
    return new JobServices.Bounds(
        settings.defaultZone(),
        settings.nodeGroups().bounds(),
        quotas,
        new FeatureGate(trackers, holders, clock, FeatureLevel::neededBy),
        settings.retention().batchKeep());
  }

  /**
   * Makes the health check.
   *
   * @param served supplies the names of the node groups that this tracker serves
   */
  HealthCheck healthCheck(Supplier<List<String>> served) {
    return new HealthCheck(settings.trackerId(), address, lease, storeHealth, served);
  }

  Timing timing() {
    ServiceConfig service = settings.service();
    return new Timing(
        settings.defaultZone(),
        settings.generation().misfireThreshold(),
        service.workers().lease(),
        service.trackerLease(),
        service.priorityAgeing(),
        service.workers().timeoutGrace());
  }
}
