package io.millrace.jobclient.internal.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.jobclient.internal.relay.RelayDuty;
import io.millrace.jobclient.internal.relay.RelayMeasures;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The meters of one relay; docs/monitoring.md lists them. Thread-safe. */
public final class RelayMeters implements RelayMeasures, AutoCloseable {
  private static final String GROUP = "client.group";

  /** A counter that is there from the start shows its first increase. */
  private static final List<String> ANSWERS =
      List.of("accepted", "duplicate", "replaced", "cancelled", "not_found", "set_aside");

  private final MeterRegistry registry;
  private final String group;
  private final List<Meter> gauges = new ArrayList<>();

  /** Creates the meters; the gauges begin with {@link #show}. */
  public RelayMeters(MeterRegistry registry, String group) {
    this.registry = registry;
    this.group = group;
    for (String answer : ANSWERS) {
      Counter unused = counter(answer);
    }
  }

  /** Registers the gauges of a relay, unless they are registered. */
  public synchronized void show(RelayDuty relay) {
    if (!gauges.isEmpty()) {
      return;
    }
    gauges.add(
        gauge(
            "millrace.relay.lag",
            "seconds",
            "how long the oldest enqueued request has waited",
            () -> relay.lag().now().toMillis() / 1_000.0));
    gauges.add(
        gauge(
            "millrace.relay.partitions",
            null,
            "partitions of enqueued requests that this process sends, of 16",
            relay::partitions));
  }

  private Meter gauge(
      String name, @Nullable String unit, String description, Supplier<Number> value) {
    return Gauge.builder(name, value)
        .strongReference(true)
        .tag(GROUP, group)
        .baseUnit(unit)
        .description(description)
        .register(registry);
  }

  private Counter counter(String answer) {
    return Counter.builder("millrace.relay.requests")
        .tags(GROUP, group, "answer", answer)
        .description("enqueued requests that are done, by the answer")
        .register(registry);
  }

  @Override
  public void done(String answer, int rows) {
    counter(answer).increment(rows);
  }

  /** Removes the gauges. Counted values stay in the registry. */
  @Override
  public synchronized void close() {
    gauges.forEach(registry::remove);
    gauges.clear();
  }
}
