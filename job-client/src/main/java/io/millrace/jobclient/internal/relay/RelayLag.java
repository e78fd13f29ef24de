package io.millrace.jobclient.internal.relay;

import io.millrace.internal.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How long the oldest row has waited. While it cannot be measured, the lag grows with time: a
 * database that does not answer must not look like an empty table. Thread-safe.
 */
public final class RelayLag {
  private static final Duration MEASURED_WITHIN = Duration.ofSeconds(5);

  private final Clock clock;
  private long measuredNanos;
  private long ageMillis;

  RelayLag(Clock clock) {
    this.clock = clock;
    this.measuredNanos = clock.nanoTime();
  }

  /** Sets the age of the oldest row; 0 if there is no row. */
  synchronized void measured(long millis) {
    measuredNanos = clock.nanoTime();
    ageMillis = millis;
  }

  /** Returns the lag now. */
  public synchronized Duration now() {
    long since = TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - measuredNanos);
    return Duration.ofMillis(
        ageMillis > 0 || since > MEASURED_WITHIN.toMillis() ? ageMillis + since : 0);
  }
}
