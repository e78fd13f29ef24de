package io.millrace.jobtracker.metrics;

import java.time.Duration;
import java.util.stream.LongStream;

/**
 * The upper bounds of the histograms' buckets; there are few, since each one is a series of its
 * own.
 */
final class Scales {
  static final Duration[] LATENESS =
      millis(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 60_000, 600_000);
  static final Duration[] RUN_TIME =
      millis(1, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 60_000, 600_000, 3_600_000);
  static final Duration[] COMMIT_TIME = millis(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000);
  static final double[] ROWS = {1, 2, 4, 8, 16, 32, 64, 128, 256};

  private Scales() {}

  private static Duration[] millis(long... bounds) {
    return LongStream.of(bounds).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
  }
}
