package io.millrace.tasktracker.internal.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.millrace.api.Outcome;
import io.millrace.internal.outbox.Outbox;
import io.millrace.internal.time.Clock;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The meters of one worker; docs/monitoring.md lists them. Thread-safe. */
public final class WorkerMeters implements WorkerMeasures {
  private static final String GROUP = "group";
  private static final String UNNAMED = "default";
  private static final Duration[] RUN_TIMES =
      Stream.of(1, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 60_000, 600_000, 3_600_000)
          .map(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterRegistry registry;
  private final String group;
  private final Clock clock;
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger unacknowledged = new AtomicInteger();
  private final Map<PullAnswer, Counter> pulls = new EnumMap<>(PullAnswer.class);
  private final Map<Outcome, Counter> ends = new EnumMap<>(Outcome.class);
  private final Counter lost;
  private final List<Meter> gauges = new CopyOnWriteArrayList<>();
  private volatile boolean connected;

  /**
   * Registers the meters.
   *
   * @param group the node group of the worker
   */
  public WorkerMeters(MeterRegistry registry, String group, Clock clock) {
    this.registry = registry;
    this.group = group;
    this.clock = clock;
    for (PullAnswer answer : PullAnswer.values()) {
      pulls.put(answer, counter("pulls", "pulls, by their answer", "answer", nameOf(answer)));
    }
    for (Outcome outcome : Outcome.values()) {
      ends.put(
          outcome,
          counter(
              "executions.ended",
              "executions ended, by their outcome",
              "outcome",
              nameOf(outcome)));
    }
    this.lost = counter("leases.lost", "attempts that this worker lost");
  }

  private static String nameOf(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private Counter counter(String name, String description, String... tags) {
    return Counter.builder("millrace.worker." + name)
        .tag(GROUP, group)
        .tags(tags)
        .description(description)
        .register(registry);
  }

  private void gauge(String name, @Nullable String unit, String description, DoubleSupplier value) {
    gauges.add(
        Gauge.builder("millrace.worker." + name, value::getAsDouble)
            .strongReference(true)
            .tag(GROUP, group)
            .baseUnit(unit)
            .description(description)
            .register(registry));
  }

  @Override
  public RunnerMeasures ofRunner(@Nullable String handler) {
    String name = handler == null ? UNNAMED : handler;
    Counter started = counter("executions.started", "invocations started", "handler", name);
    Timer runTime =
        Timer.builder("millrace.worker.run.time")
            .tags(GROUP, group, "handler", name)
            .description("run time of invocations")
            .serviceLevelObjectives(RUN_TIMES)
            .register(registry);
    return () -> {
      started.increment();
      running.incrementAndGet();
      long begun = clock.nanoTime();
      return () -> {
        runTime.record(clock.nanoTime() - begun, TimeUnit.NANOSECONDS);
        running.decrementAndGet();
      };
    };
  }

  @Override
  public void started(int slots, IntSupplier stuckInvocations, @Nullable Outbox outbox) {
    gauge("slots", null, "the most invocations that run at once", () -> slots);
    gauge("slots.used", null, "running invocations, including stuck ones", running::get);
    gauge(
        "stuck.invocations",
        null,
        "invocations that still run after their attempt has ended",
        stuckInvocations::getAsInt);
    gauge("connected", null, "1 if a tracker is connected, else 0", () -> connected ? 1 : 0);
    gauge("results.waiting", null, "results that no tracker has acknowledged", unacknowledged::get);
    gauge(
        "outbox.results",
        null,
        "results saved in the outbox",
        () -> outbox == null ? 0 : outbox.size());
    gauge("outbox.size", "bytes", "saved", () -> outbox == null ? 0 : outbox.bytes());
  }

  @Override
  public void connected(boolean isConnected) {
    connected = isConnected;
  }

  @Override
  public void pulled(PullAnswer answer) {
    increment(pulls.get(answer));
  }

  @Override
  public void ended(Outcome outcome) {
    unacknowledged.incrementAndGet();
    increment(ends.get(outcome));
  }

  private static void increment(@Nullable Counter counter) {
    if (counter != null) {
      counter.increment();
    }
  }

  @Override
  public void restored(int results) {
    unacknowledged.addAndGet(results);
  }

  @Override
  public void acknowledged() {
    unacknowledged.decrementAndGet();
  }

  @Override
  public void lost() {
    lost.increment();
  }

  /** Removes the gauges, whose values end with the worker. Counted values stay in the registry. */
  @Override
  public void close() {
    gauges.forEach(registry::remove);
    gauges.clear();
  }
}
