package io.millrace.common.time;

import java.time.Instant;

/**
 * The only source of time. Handed to whatever needs it; nothing outside this package reads the
 * clocks of the machine. Thread-safe.
 */
public interface Clock {

  /** Milliseconds since the epoch. May step when the authority it follows steps. */
  long millis();

  /** Nanoseconds on a line that never goes back; only differences mean something. */
  long nanoTime();

  /** {@link #millis} as an instant. */
  default Instant now() {
    return Instant.ofEpochMilli(millis());
  }
}
