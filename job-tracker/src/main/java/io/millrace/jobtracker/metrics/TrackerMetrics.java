package io.millrace.jobtracker.metrics;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.rpc.CutReason;
import io.millrace.internal.rpc.RpcCounts;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.engine.EngineListener;
import io.millrace.jobtracker.engine.ServedGroup;
import io.millrace.jobtracker.store.console.Counts;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one tracker; docs/monitoring.md lists them. All values are in memory already:
 * neither counting nor a scrape queries the store. Meters are looked up once for a batch, not for a
 * job. Thread-safe.
 */
public final class TrackerMetrics implements EngineListener, AutoCloseable {
  /** The content type of what {@link #scrape} returns. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final MeterRegistry registry;
  private final @Nullable PrometheusMeterRegistry scraped;
  private final Runnable closing;
  private final Map<String, GroupMeters> groups = new ConcurrentHashMap<>();
  private final Map<String, GroupGauges> served = new ConcurrentHashMap<>();
  private final Map<Commit, CommitMeters> commits = new EnumMap<>(Commit.class);
  private final HandlerNames handlers = new HandlerNames();

  private TrackerMetrics(
      MeterRegistry registry, @Nullable PrometheusMeterRegistry scraped, Runnable closing) {
    this.registry = registry;
    this.scraped = scraped;
    this.closing = closing;
    for (Commit what : Commit.values()) {
      commits.put(what, new CommitMeters(registry, what));
    }
  }

  /** Creates meters in a registry of their own, with those of the JVM. */
  public static TrackerMetrics own() {
    PrometheusMeterRegistry own = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    JvmGcMetrics jvm = JvmMeters.bind(own);
    return new TrackerMetrics(
        own,
        own,
        () -> {
          jvm.close();
          own.close();
        });
  }

  /**
   * Creates meters in the caller's registry as well. That registry stays the caller's: the JVM
   * meters are not added to it.
   */
  public static TrackerMetrics beside(MeterRegistry given) {
    PrometheusMeterRegistry own = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    JvmGcMetrics jvm = JvmMeters.bind(own);
    CompositeMeterRegistry both = new CompositeMeterRegistry();
    both.add(own);
    both.add(given);
    return new TrackerMetrics(
        both,
        own,
        () -> {
          jvm.close();
          both.remove(given);
          own.close();
        });
  }

  /** Creates meters that count nothing. */
  public static TrackerMetrics unwatched() {
    return new TrackerMetrics(new CompositeMeterRegistry(), null, () -> {});
  }

  /** Whether the meters can be read. */
  public boolean isWatched() {
    return scraped != null;
  }

  /** The registry with all meters of the tracker. */
  public MeterRegistry registry() {
    return registry;
  }

  /**
   * The meters in the text format of Prometheus, {@link #CONTENT_TYPE}. Reads memory only, and
   * costs the same for every backlog; empty if the meters are not {@linkplain #isWatched watched}.
   */
  public String scrape() {
    return scraped == null ? "" : scraped.scrape();
  }

  // Meters of the tracker as a whole.

  /**
   * Registers gauges for the tracker's lease and the node groups that it serves.
   *
   * @param leaseLeft time until its lease runs out
   * @param groupsServed number of node groups that it serves
   */
  public void trackerStarted(Supplier<Duration> leaseLeft, IntSupplier groupsServed) {
    gauge(
        "millrace.tracker.lease.left",
        "seconds",
        "time until the tracker's lease expires; 0 if it has none",
        () -> leaseLeft.get().toMillis() / 1000.0);
    gauge(
        "millrace.tracker.groups",
        null,
        "node groups that the tracker serves",
        groupsServed::getAsInt);
  }

  /** Registers a gauge for the feedback that waits to be acknowledged, as last counted. */
  public void feedback(LongSupplier waiting) {
    gauge(
        "millrace.feedback.waiting",
        null,
        "results that no client has acknowledged",
        waiting::getAsLong);
  }

  /**
   * Registers meters for the buffers of connections, and for the connections closed by the tracker.
   */
  public void connections(RpcCounts counts) {
    for (CutReason reason : CutReason.values()) {
      FunctionCounter.builder("millrace.rpc.cut", counts, all -> all.cut(reason))
          .tag("reason", reason.name().toLowerCase(Locale.ROOT))
          .description("connections that the tracker closed because of the other node's behaviour")
          .register(registry);
    }
    FunctionCounter.builder("millrace.rpc.refused", counts, RpcCounts::refusedConnections)
        .description("connections that were closed at once, because the limit was reached")
        .register(registry);
    gauge(
        "millrace.rpc.unsent", "bytes", "of messages queued for slow readers", counts::unsentBytes);
    gauge(
        "millrace.rpc.received",
        "bytes",
        "of messages not yet received completely",
        counts::receivedBytes);
  }

  private void gauge(String name, @Nullable String unit, String description, DoubleSupplier value) {
    Gauge.builder(name, value::getAsDouble)
        .strongReference(true)
        .baseUnit(unit)
        .description(description)
        .register(registry);
  }

  /** Replaces the gauges of an earlier service of the same group. */
  @Override
  public void groupServed(ServedGroup group) {
    GroupMeters unused = group(group.name());
    served.compute(
        group.name(),
        (name, before) -> {
          if (before != null) {
            before.remove();
          }
          return new GroupGauges(registry, group);
        });
  }

  /**
   * Removes the gauges, unless the tracker has taken the group again meanwhile. The counts stay.
   */
  @Override
  public void groupLeft(ServedGroup group) {
    served.computeIfPresent(
        group.name(),
        (name, gauges) -> {
          if (!gauges.show(group)) {
            return gauges;
          }
          gauges.remove();
          return null;
        });
  }

  /** Adds the gauges of lanes that were not counted before. */
  @Override
  public void lanesCounted(ServedGroup group) {
    GroupGauges gauges = served.get(group.name());
    if (gauges != null) {
      gauges.add(group.stats().dueByLane().keySet());
    }
  }

  // Events of the engine.

  @Override
  public void committed(Commit what, int items, long nanos) {
    CommitMeters meters = commits.get(what);
    if (meters != null) {
      meters.committed(items, nanos);
    }
  }

  @Override
  public void claimed(String nodeGroup, int executions) {
    group(nodeGroup).claimed(executions);
  }

  @Override
  public void handedOut(String nodeGroup, List<Assignment> assignments, long now) {
    group(nodeGroup).handedOut(assignments, now);
  }

  @Override
  public void ran(String nodeGroup, @Nullable String handler, long nanos) {
    group(nodeGroup).ran(handler, nanos);
  }

  @Override
  public void loaded(String nodeGroup, long nanos) {
    group(nodeGroup).loaded(nanos);
  }

  @Override
  public void planned(String nodeGroup, long triggers) {
    group(nodeGroup).planned(triggers);
  }

  @Override
  public void ended(LedgerEntry row) {
    group(row.nodeGroup()).ended(row);
  }

  /**
   * The counts of each node group since this object was created; of the maxima, those since the
   * last call.
   */
  public Map<String, Counts> takeCounts() {
    Map<String, Counts> counts = new HashMap<>();
    groups.forEach((name, meters) -> counts.put(name, meters.tally().takeCounts()));
    return counts;
  }

  private GroupMeters group(String nodeGroup) {
    GroupMeters known = groups.get(nodeGroup);
    return known == null
        ? groups.computeIfAbsent(nodeGroup, name -> new GroupMeters(registry, name, handlers))
        : known;
  }

  /** Closes its own registry; a caller's registry keeps its meters. */
  @Override
  public void close() {
    closing.run();
  }

  /** The meters of one kind of commit. */
  private static final class CommitMeters {
    private final Timer time;
    private final DistributionSummary items;

    CommitMeters(MeterRegistry registry, Commit what) {
      String operation = what.name().toLowerCase(Locale.ROOT);
      this.time =
          Timer.builder("millrace.commit.time")
              .serviceLevelObjectives(Scales.COMMIT_TIME)
              .tag("operation", operation)
              .description("duration of a batch, from its start to the answer of its commit")
              .register(registry);
      this.items =
          DistributionSummary.builder("millrace.commit.items")
              .serviceLevelObjectives(Scales.ROWS)
              .tag("operation", operation)
              .description("jobs, executions or results in one transaction")
              .register(registry);
    }

    void committed(int count, long nanos) {
      time.record(nanos, TimeUnit.NANOSECONDS);
      items.record(count);
    }
  }
}
