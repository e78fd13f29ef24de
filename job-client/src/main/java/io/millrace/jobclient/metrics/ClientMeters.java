package io.millrace.jobclient.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.model.SubmitStatus;
import io.millrace.common.time.Clock;
import io.millrace.jobclient.submit.SubmitMeasures;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The meters of one client; docs/metrics.md lists them. Thread-safe. */
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
   * @param readings what the gauges show until this is closed
   */
  public ClientMeters(MeterRegistry registry, String group, Clock clock, ClientReadings readings) {
    this.registry = registry;
    this.group = group;
    this.clock = clock;
    for (SubmitStatus status : SubmitStatus.values()) {
      answered.put(status, timer(status.name().toLowerCase(Locale.ROOT)));
    }
    this.failed = timer("failed");
    this.gauges =
        List.of(
            gauge("jobs.in.flight", "jobs without an answer", readings, r -> r.jobsInFlight()),
            gauge("connected", "1 while a tracker is", readings, r -> r.isConnected() ? 1 : 0),
            gauge("outbox.requests", "saved requests", readings, r -> r.outboxRequests()),
            gauge("outbox.size", "bytes", "saved", readings, ClientReadings::outboxBytes));
  }

  private Timer timer(String answer) {
    return Timer.builder("millrace.client.submit.time")
        .tags(GROUP, group, "answer", answer)
        .description("from the call until the answer, for each job")
        .serviceLevelObjectives(ANSWER_TIMES)
        .register(registry);
  }

  private Meter gauge(
      String name,
      String description,
      ClientReadings readings,
      ToDoubleFunction<ClientReadings> value) {
    return gauge(name, null, description, readings, value);
  }

  private Meter gauge(
      String name,
      @Nullable String unit,
      String description,
      ClientReadings readings,
      ToDoubleFunction<ClientReadings> value) {
    return Gauge.builder("millrace.client." + name, readings, value)
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

  /** Takes the gauges away: they would show what is no more. What was counted stays. */
  @Override
  public void close() {
    gauges.forEach(registry::remove);
  }
}
