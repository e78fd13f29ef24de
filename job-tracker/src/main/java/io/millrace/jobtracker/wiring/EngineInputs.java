package io.millrace.jobtracker.wiring;

import io.millrace.jobtracker.alert.AlertMonitor;
import io.millrace.jobtracker.alert.Alerting;
import io.millrace.jobtracker.cluster.TrackerLease;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.domain.snapshot.Timing;
import io.millrace.jobtracker.engine.EngineListener;
import io.millrace.jobtracker.engine.Timers;
import io.millrace.jobtracker.metrics.TrackerMetrics;
import io.millrace.jobtracker.store.BelievedLeases;
import io.millrace.jobtracker.store.StoreHealth;
import io.millrace.jobtracker.store.Stores;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What an engine is made from, and what follows from that alone.
 *
 * @param storeHealth whether the store answers
 * @param lease of this tracker's number
 * @param address where nodes reach this tracker
 * @param metrics what is measured
 * @param alerts what operators are told; null without receivers
 * @param stores with the counting of what is committed
 */
record EngineInputs(
    TrackerSettings settings,
    TrackerRuntime runtime,
    StoreHealth storeHealth,
    TrackerLease lease,
    String address,
    TrackerMetrics metrics,
    @Nullable AlertMonitor alerts,
    Stores stores) {

  static EngineInputs of(
      TrackerSettings settings,
      TrackerRuntime runtime,
      StoreHealth storeHealth,
      TrackerLease lease,
      String address,
      TrackerMetrics metrics) {
    Alerting alerting = runtime.alerting();
    AlertMonitor alerts = alerting == null ? null : new AlertMonitor(alerting.rules(), address);
    Stores kept = runtime.stores();
    Stores believed =
        kept.withTrackers(
            new BelievedLeases(
                kept.trackers(), runtime.time().clock(), settings.service().trackerLease()));
    Stores counted =
        alerts == null ? metrics.around(believed) : metrics.around(believed, alerts::ended);
    return new EngineInputs(
        settings, runtime, storeHealth, lease, address, metrics, alerts, counted);
  }

  EngineListener listener() {
    return alerts == null ? metrics : EngineListener.both(metrics, alerts);
  }

  Timers timers() {
    return new Timers(runtime.time(), runtime.random());
  }

  /**
   * @param served names of the node groups that this tracker serves
   */
  HealthCheck healthCheck(Supplier<List<String>> served) {
    return new HealthCheck(settings.trackerId(), address, lease, storeHealth, served);
  }

  Timing timing() {
    ServiceConfig service = settings.service();
    return new Timing(
        settings.defaultZone(),
        settings.generation().misfireThreshold(),
        service.workerLease(),
        service.trackerLease(),
        service.priorityAgeing(),
        service.timeoutGrace());
  }
}
