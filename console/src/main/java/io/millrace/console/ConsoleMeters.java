package io.millrace.console;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.console.http.Refusals;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Counts what a console refuses; docs/monitoring.md lists the meters. Thread-safe. */
final class ConsoleMeters implements Refusals {
  private final Map<Reason, Counter> refused = new EnumMap<>(Reason.class);

  ConsoleMeters(MeterRegistry registry) {
    for (Reason reason : Reason.values()) {
      refused.put(
          reason,
          Counter.builder("millrace.console.refused")
              .tag("reason", reason.name().toLowerCase(Locale.ROOT))
              .description("requests and connections that the console refused or closed")
              .register(registry));
    }
  }

  @Override
  public void refused(Reason reason) {
    Objects.requireNonNull(refused.get(reason)).increment();
  }
}
