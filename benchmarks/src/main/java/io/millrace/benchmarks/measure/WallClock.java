package io.millrace.benchmarks.measure;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The clocks by which contenders are measured. All processes share the machine's, which tells
 * microseconds; the house's own clock tells milliseconds only.
 */
public final class WallClock {
  private static final long MICROS = 1_000_000;
  private static final long NANOS_OF_MICRO = 1_000;

  private WallClock() {}

  /** Microseconds since the epoch: comparable between processes. */
  public static long micros() {
    Instant now = Instant.now();
    return now.getEpochSecond() * MICROS + now.getNano() / NANOS_OF_MICRO;
  }

  /** Milliseconds since the epoch. */
  public static long millis() {
    return TimeUnit.MICROSECONDS.toMillis(micros());
  }

  /** Nanoseconds on a line that never goes back: for lengths of time in one process. */
  public static long nanoTime() {
    return System.nanoTime();
  }
}
