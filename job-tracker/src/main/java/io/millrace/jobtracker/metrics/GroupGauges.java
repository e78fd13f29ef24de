package io.millrace.jobtracker.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.jobtracker.domain.lease.GroupStats;
import io.millrace.jobtracker.engine.ServedGroup;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The gauges of a node group while this tracker serves it. */
final class GroupGauges {
  private final MeterRegistry registry;
  private final ServedGroup group;
  private final List<Meter> meters;

  GroupGauges(MeterRegistry registry, ServedGroup group) {
    this.registry = registry;
    this.group = group;
    this.meters =
        List.of(
            gauge(
                "millrace.backlog",
                null,
                "waiting triggers that are due",
                stats -> stats.backlog().due()),
            gauge(
                "millrace.backlog.oldest.age",
                "seconds",
                "how long the oldest due trigger has been waiting",
                stats -> stats.oldestDueAge() / 1000.0),
            gauge("millrace.slots.free", null, "free slots in parked pulls", GroupStats::freeSlots),
            gauge(
                "millrace.executions.running",
                null,
                "executions in progress",
                GroupStats::executing),
            gauge("millrace.workers", null, "connected workers", GroupStats::workers));
  }

  private Meter gauge(
      String name, @Nullable String unit, String description, ToDoubleFunction<GroupStats> value) {
    return Gauge.builder(name, group, served -> value.applyAsDouble(served.stats()))
        .strongReference(true)
        .tag("group", group.name())
        .baseUnit(unit)
        .description(description)
        .register(registry);
  }

  /** Whether these are the gauges of this group. */
  boolean show(ServedGroup other) {
    return group == other;
  }

  /** Removes the gauges, which would be stale: another tracker serves the group, or none does. */
  void remove() {
    meters.forEach(registry::remove);
  }
}
