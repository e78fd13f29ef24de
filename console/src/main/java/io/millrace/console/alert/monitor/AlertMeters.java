package io.millrace.console.alert.monitor;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;

/** Counts alerts in a registry; docs/monitoring.md lists the meters. Thread-safe. */
public final class AlertMeters implements AlertCounts {
  /** The types of receivers; their meters are registered from the start. */
  private static final List<String> RECEIVER_TYPES = List.of("webhook", "mail");

  private final MeterRegistry registry;

  /** Registers the meters, unless the registry has them already. */
  public AlertMeters(MeterRegistry registry) {
    this.registry = registry;
    for (String receiverType : RECEIVER_TYPES) {
      for (Outcome outcome : Outcome.values()) {
        Counter unused = counter(receiverType, outcome);
      }
    }
  }

  @Override
  public void count(String receiverType, Outcome outcome, long alerts) {
    counter(receiverType, outcome).increment((double) alerts);
  }

  private Counter counter(String receiverType, Outcome outcome) {
    return Counter.builder("millrace.alerts." + outcome.name().toLowerCase(Locale.ROOT))
        .tag("receiver", receiverType)
        .description(
            switch (outcome) {
              case SENT -> "alerts that a receiver accepted";
              case FAILED -> "attempts to deliver alerts that failed";
              case DROPPED -> "alerts that were dropped";
            })
        .register(registry);
  }
}
