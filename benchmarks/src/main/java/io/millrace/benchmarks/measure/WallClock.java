package io.millrace.benchmarks.measure;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The clocks for measuring contenders. All processes share the machine's clock, which has
 * microseconds; Millrace's own clock has only milliseconds.
 */
public final class WallClock {
  private static final long MICROS = 1_000_000;
  private static final long NANOS_OF_MICRO = 1_000;

  private WallClock() {}

  /** Returns the microseconds since the epoch; comparable between processes. */
  public static long micros() {
    Instant now = Instant.now();
    return now.getEpochSecond() * MICROS + now.getNano() / NANOS_OF_MICRO;
  }

  /** Returns the milliseconds since the epoch. */
  public static long millis() {
    return TimeUnit.MICROSECONDS.toMillis(micros());
  }

  /** Returns monotonic nanoseconds, for durations in one process. */
  public static long nanoTime() {
    return System.nanoTime();
  }
}
