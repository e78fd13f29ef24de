package io.millrace.jobtracker.store.jdbc;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.common.time.Clock;
import io.millrace.jobtracker.store.StoreException;
import io.millrace.jobtracker.store.StoreHealth;
import io.millrace.jobtracker.store.StoreUnavailableException;
import io.millrace.jobtracker.store.UnknownOutcomeException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches every transaction begin and end, and so knows whether the database answers: it is in
 * trouble when transactions have been waiting or failing for a while and none has been answered
 * since. To be told that a row exists already is an answer, too. Thread-safe.
 */
final class StoreWatch implements StoreHealth {
  /** Longer than a transaction takes on a slow disk. */
  static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);
  private static final String SILENT = "transactions wait for its answer";

  private final Clock clock;
  private final Counter answered;
  private final Counter unavailable;
  private final Counter unknown;

  private int running;
  private boolean waiting;
  private long waitingSince;
  private @Nullable String failure;

  StoreWatch(Clock clock, MeterRegistry meters) {
    this.clock = clock;
    this.answered = counter(meters, "answered");
    this.unavailable = counter(meters, "unavailable");
    this.unknown = counter(meters, "unknown");
    Gauge.builder("millrace.store.available", this, watch -> watch.trouble().isPresent() ? 0 : 1)
        .description("1 while the database answers, 0 while it does not")
        .register(meters);
  }

  private static Counter counter(MeterRegistry meters, String outcome) {
    return Counter.builder("millrace.store.transactions")
        .tag("outcome", outcome)
        .description("attempts of transactions, by whether the database answered")
        .register(meters);
  }

  /** An attempt of a transaction begins. */
  synchronized void begun() {
    running++;
    if (!waiting) {
      waiting = true;
      waitingSince = clock.nanoTime();
    }
  }

  /** It is over, whatever came of it: the database answered. */
  synchronized void answered() {
    running--;
    answered.increment();
    Duration waited = waited();
    if (failure != null || waited.compareTo(PATIENCE) >= 0) {
      LOG.info("store: answers again, after {} ms", waited.toMillis());
    }
    failure = null;
    waiting = running > 0;
    waitingSince = clock.nanoTime();
  }

  /** It failed. */
  synchronized void failed(StoreException error) {
    if (error instanceof UnknownOutcomeException) {
      unknown.increment();
    } else if (error instanceof StoreUnavailableException) {
      unavailable.increment();
    } else {
      answered();
      return;
    }
    running--;
    if (failure == null) {
      LOG.warn("store: out of reach, trying on: {}", error.getMessage());
    }
    failure = error.getMessage();
  }

  @Override
  public synchronized Optional<Trouble> trouble() {
    Duration waited = waited();
    return waiting && waited.compareTo(PATIENCE) >= 0
        ? Optional.of(new Trouble(waited, failure == null ? SILENT : failure))
        : Optional.empty();
  }

  private Duration waited() {
    return Duration.ofNanos(clock.nanoTime() - waitingSince);
  }
}
