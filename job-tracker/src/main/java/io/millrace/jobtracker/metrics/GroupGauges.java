package io.millrace.jobtracker.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.jobtracker.domain.lease.GroupStats;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.engine.ServedGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The gauges of a node group while this tracker serves it. All of them show one reading of the
 * group, so that a scrape reads it once and its figures agree.
 */
final class GroupGauges {
  /** A reading is shared for longer than a scrape takes. */
  static final Duration SHARED = Duration.ofSeconds(1);

  private final MeterRegistry registry;
  private final ServedGroup group;
  private final SharedReading reading;
  private final List<Meter> meters;
  private final Set<Lane> lanes = new HashSet<>();

  /** Reads the time from the clock of the registry. */
  GroupGauges(MeterRegistry registry, ServedGroup group) {
    this.registry = registry;
    this.group = group;
    this.reading = new SharedReading(group, registry.config().clock());
    this.meters =
        new ArrayList<>(
            List.of(
                gauge(
                    reading,
                    "millrace.backlog",
                    null,
                    "waiting triggers that are due",
                    stats -> stats.backlog().due()),
                gauge(
                    reading,
                    "millrace.backlog.oldest.age",
                    "seconds",
                    "how long the oldest due trigger has been waiting",
                    stats -> stats.oldestDueAge() / 1000.0),
                gauge(
                    reading,
                    "millrace.slots.free",
                    null,
                    "free slots in parked pulls",
                    GroupStats::freeSlots),
                gauge(
                    reading,
                    "millrace.executions.running",
                    null,
                    "executions in progress",
                    GroupStats::executing),
                gauge(reading, "millrace.workers", null, "connected workers", GroupStats::workers),
                batches(reading),
                oldestBatch(reading),
                parts(reading, "ended", stats -> stats.batches().ended()),
                parts(reading, "failed", stats -> stats.batches().failed()),
                parts(reading, "live", stats -> stats.batches().live()),
                parts(reading, "to_follow", stats -> stats.batches().toFollow())));
  }

  private Meter batches(SharedReading reading) {
    return gauge(
        reading,
        "millrace.batches",
        null,
        "runs under way that were split into parts",
        stats -> stats.batches().open());
  }

  private Meter oldestBatch(SharedReading reading) {
    return gauge(
        reading,
        "millrace.batches.oldest.age",
        "seconds",
        "how long the oldest run that was split has been under way",
        stats -> stats.batches().oldestAge() / 1000.0);
  }

  private Meter parts(SharedReading reading, String state, ToDoubleFunction<GroupStats> value) {
    return Gauge.builder("millrace.batches.parts", reading, of -> value.applyAsDouble(of.stats()))
        .strongReference(true)
        .tags("group", group.name(), "state", state)
        .description("parts of runs under way that were split")
        .register(registry);
  }

  /** Adds a gauge for each lane that has none. */
  synchronized void add(Collection<Lane> met) {
    for (Lane lane : met) {
      if (lanes.add(lane)) {
        meters.add(
            Gauge.builder(
                    "millrace.backlog.lane",
                    reading,
                    shared -> shared.stats().dueByLane().getOrDefault(lane, 0L))
                .strongReference(true)
                .tag("group", group.name())
                .tag("labels", String.join(",", lane.labels()))
                .description("waiting triggers that are due and require these labels")
                .register(registry));
      }
    }
  }

  private Meter gauge(
      SharedReading reading,
      String name,
      @Nullable String unit,
      String description,
      ToDoubleFunction<GroupStats> value) {
    return Gauge.builder(name, reading, shared -> value.applyAsDouble(shared.stats()))
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
  synchronized void remove() {
    meters.forEach(registry::remove);
  }

  /** The figures of the group, read again when the last reading is old. Thread-safe. */
  private static final class SharedReading {
    private final ServedGroup group;
    private final Clock clock;
    private volatile @Nullable Reading last;

    private record Reading(GroupStats stats, long atNanos) {}

    SharedReading(ServedGroup group, Clock clock) {
      this.group = group;
      this.clock = clock;
    }

    GroupStats stats() {
      long now = clock.monotonicTime();
      Reading reading = last;
      if (reading == null || now - reading.atNanos() >= SHARED.toNanos()) {
        reading = new Reading(group.stats(), now);
        last = reading;
      }
      return reading.stats();
    }
  }
}
