package io.millrace.internal.time;

import java.time.Instant;

/**
 * The only source of time. Components receive it as a parameter; only this package reads the clocks
 * of the machine. Thread-safe.
 */
public interface Clock {

  /** Milliseconds since the epoch. May jump when the authority that the clock follows jumps. */
  long millis();

  /** Monotonic nanoseconds; only differences are meaningful. */
  long nanoTime();

  /** {@link #millis} as an instant. */
  default Instant now() {
    return Instant.ofEpochMilli(millis());
  }
}
