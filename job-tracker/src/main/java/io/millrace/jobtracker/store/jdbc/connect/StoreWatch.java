package io.millrace.jobtracker.store.jdbc.connect;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.store.StoreHealth;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches every transaction begin and end, to determine whether the database answers. The database
 * is in trouble when transactions have been waiting or failing for a while without an answer. An
 * error such as a duplicate key is an answer, too. A database that has refused a write may still
 * answer reads: only a successful write ends that trouble. Thread-safe.
 */
public final class StoreWatch implements StoreHealth {
  /**
   * How long transactions may wait before that counts as trouble: longer than one takes on a slow
   * disk.
   */
  static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);
  private static final String SILENT = "transactions are waiting for an answer";

  private final Clock clock;
  private final Counter answered;
  private final Counter unavailable;
  private final Counter unknown;

  private int running;

  /** Whether transactions have been waiting or failing since the last answer. */
  private boolean waiting;

  private long waitingSince;
  private @Nullable String failure;

  /** Why the database refuses writes, if it does. */
  private @Nullable String refusal;

  private long refusingSince;

  /** Whether the calling thread's transaction has written. */
  private final ThreadLocal<Boolean> wrote = ThreadLocal.withInitial(() -> false);

  public StoreWatch(Clock clock, MeterRegistry meters) {
    this.clock = clock;
    this.answered = counter(meters, "answered");
    this.unavailable = counter(meters, "unavailable");
    this.unknown = counter(meters, "unknown");
    Gauge.builder("millrace.store.available", this, watch -> watch.trouble().isPresent() ? 0 : 1)
        .description("1 if the database answers and accepts writes, else 0")
        .register(meters);
  }

  private static Counter counter(MeterRegistry meters, String outcome) {
    return Counter.builder("millrace.store.transactions")
        .tag("outcome", outcome)
        .description("attempts of transactions, by whether the database answered")
        .register(meters);
  }

  /** Records that an attempt of a transaction begins. */
  synchronized void begun() {
    running++;
    if (!waiting) {
      waiting = true;
      waitingSince = clock.nanoTime();
    }
  }

  /** Records that the calling thread's transaction has executed a statement that writes. */
  void wrote() {
    wrote.set(true);
  }

  /** Records that the attempt ended and the database answered, with success or an error. */
  synchronized void answered() {
    if (wrote.get() && refusal != null) {
      LOG.info("store: accepts writes again, after {} ms", since(refusingSince).toMillis());
      refusal = null;
    }
    answered.increment();
    hasAnswered();
  }

  private void hasAnswered() {
    over();
    Duration waited = since(waitingSince);
    if (failure != null || waited.compareTo(PATIENCE) >= 0) {
      LOG.info("store: answers again, after {} ms", waited.toMillis());
    }
    failure = null;
    waiting = running > 0;
    waitingSince = clock.nanoTime();
  }

  private void over() {
    running--;
    wrote.remove();
  }

  /** Records that the attempt failed. */
  synchronized void failed(StoreException error) {
    if (error instanceof UnknownOutcomeException) {
      unknown.increment();
      isSilent(error);
    } else if (error instanceof StoreUnavailableException absence) {
      unavailable.increment();
      if (absence.refusesWrites()) {
        refuses(error);
      } else {
        isSilent(error);
      }
    } else {
      answered();
    }
  }

  private void isSilent(StoreException error) {
    over();
    if (failure == null) {
      LOG.warn("store: not reachable; retrying: {}", error.getMessage());
    }
    failure = error.getMessage();
  }

  /** The database answered, but cannot store anything. */
  private void refuses(StoreException error) {
    hasAnswered();
    if (refusal == null) {
      LOG.warn("store: rejects writes; retrying: {}", error.getMessage());
      refusingSince = clock.nanoTime();
    }
    refusal = error.getMessage();
  }

  @Override
  public synchronized Optional<Trouble> trouble() {
    Duration waited = since(waitingSince);
    if (waiting && waited.compareTo(PATIENCE) >= 0) {
      return Optional.of(new Trouble(Symptom.SILENT, waited, failure == null ? SILENT : failure));
    }
    Duration refused = since(refusingSince);
    return refusal != null && refused.compareTo(PATIENCE) >= 0
        ? Optional.of(new Trouble(Symptom.REFUSES_WRITES, refused, refusal))
        : Optional.empty();
  }

  private Duration since(long nanos) {
    return Duration.ofNanos(clock.nanoTime() - nanos);
  }
}
