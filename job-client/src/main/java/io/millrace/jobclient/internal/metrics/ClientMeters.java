package io.millrace.jobclient.internal.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.rpc.tracker.TrackerLink;
import io.millrace.internal.time.Clock;
import io.millrace.jobclient.internal.outbox.JobOutbox;
import io.millrace.jobclient.internal.submit.InFlightBound;
import io.millrace.jobclient.internal.submit.SubmitMeasures;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The meters of one client; docs/monitoring.md lists them. Thread-safe. */
public final class ClientMeters implements SubmitMeasures, AutoCloseable {
  private static final String GROUP = "client.group";
  private static final Duration[] ANSWER_TIMES =
      Stream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000, 30_000)
          .map(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterRegistry registry;
  private final String group;
  private final Clock clock;
  private final Map<SubmitStatus, Timer> answered = new EnumMap<>(SubmitStatus.class);
  private final Timer failed;
  private final List<Meter> gauges;

  /**
   * Registers the meters.
   *
   * @param group the client group
   * @param outbox null if there is none
   */
  public ClientMeters(
      MeterRegistry registry,
      String group,
      Clock clock,
      InFlightBound inFlight,
      TrackerLink link,
      @Nullable JobOutbox outbox) {
    this.registry = registry;
    this.group = group;
    this.clock = clock;
    for (SubmitStatus status : SubmitStatus.values()) {
      answered.put(status, timer(status.name().toLowerCase(Locale.ROOT)));
    }
    this.failed = timer("failed");
    this.gauges =
        List.of(
            gauge(
                "jobs.in.flight", "jobs in flight: submitted and not yet answered", inFlight::jobs),
            gauge(
                "connected",
                "1 if a tracker is connected, else 0",
                () -> link.session() == null ? 0 : 1),
            gauge(
                "outbox.requests",
                "requests saved in the outbox",
                () -> outbox == null ? 0 : outbox.size()),
            gauge("outbox.size", "bytes", "saved", () -> outbox == null ? 0 : outbox.bytes()));
  }

  private Timer timer(String answer) {
    return Timer.builder("millrace.client.submit.time")
        .tags(GROUP, group, "answer", answer)
        .description("time from the submit to the answer, for each job")
        .serviceLevelObjectives(ANSWER_TIMES)
        .register(registry);
  }

  private Meter gauge(String name, String description, Supplier<Number> value) {
    return gauge(name, null, description, value);
  }

  private Meter gauge(
      String name, @Nullable String unit, String description, Supplier<Number> value) {
    return Gauge.builder("millrace.client." + name, value)
        .strongReference(true)
        .tag(GROUP, group)
        .baseUnit(unit)
        .description(description)
        .register(registry);
  }

  @Override
  public void submitted(CompletableFuture<SubmitResult> answer, long calledNanos) {
    CompletableFuture<SubmitResult> unused =
        answer.whenComplete(
            (result, failure) ->
                timerOf(result).record(clock.nanoTime() - calledNanos, TimeUnit.NANOSECONDS));
  }

  private Timer timerOf(@Nullable SubmitResult result) {
    return result == null ? failed : answered.getOrDefault(result.status(), failed);
  }

  /** Removes the gauges, whose values end with the client. Counted values stay in the registry. */
  @Override
  public void close() {
    gauges.forEach(registry::remove);
  }
}
