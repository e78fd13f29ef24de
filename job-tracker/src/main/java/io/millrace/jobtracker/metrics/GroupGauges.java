package io.millrace.jobtracker.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The gauges of a node group while this tracker serves it. */
final class GroupGauges {
  private final MeterRegistry registry;
  private final String group;
  private final GroupReadings readings;
  private final List<Meter> meters;

  GroupGauges(MeterRegistry registry, String group, GroupReadings readings) {
    this.registry = registry;
    this.group = group;
    this.readings = readings;
    this.meters =
        List.of(
            gauge("millrace.backlog", null, "due triggers that wait", GroupReadings::backlog),
            gauge(
                "millrace.backlog.oldest.age",
                "seconds",
                "for how long the first due trigger has been waiting",
                each -> each.oldestDueAge() / 1000.0),
            gauge(
                "millrace.slots.free",
                null,
                "slots that workers wait to fill",
                GroupReadings::freeSlots),
            gauge(
                "millrace.executions.running",
                null,
                "executions under way",
                GroupReadings::executing),
            gauge("millrace.workers", null, "connected workers", GroupReadings::workers));
  }

  private Meter gauge(
      String name,
      @Nullable String unit,
      String description,
      ToDoubleFunction<GroupReadings> value) {
    return Gauge.builder(name, readings, value)
        .strongReference(true)
        .tag("group", group)
        .baseUnit(unit)
        .description(description)
        .register(registry);
  }

  /** Whether this is what they tell of. */
  boolean shows(GroupReadings other) {
    return readings == other;
  }

  /** The group is another tracker's, or nobody's: its gauges would say what is no more. */
  void remove() {
    meters.forEach(registry::remove);
  }
}
