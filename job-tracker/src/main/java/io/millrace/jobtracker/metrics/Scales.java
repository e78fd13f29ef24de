package io.millrace.jobtracker.metrics;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.stream.LongStream;

/**
 * The upper bounds of the histograms' buckets; there are few, since each one is a series of its
 * own.
 */
final class Scales {
  private static final Duration[] LATENESS =
      millis(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 60_000, 600_000);
  private static final Duration[] RUN_TIME =
      millis(1, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 60_000, 600_000, 3_600_000);
  private static final Duration[] COMMIT_TIME =
      millis(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000);
  private static final double[] ROWS = {1, 2, 4, 8, 16, 32, 64, 128, 256};

  private Scales() {}

  static Timer.Builder lateness(Timer.Builder timer) {
    return timer.serviceLevelObjectives(LATENESS);
  }

  static Timer.Builder runTime(Timer.Builder timer) {
    return timer.serviceLevelObjectives(RUN_TIME);
  }

  static Timer.Builder commitTime(Timer.Builder timer) {
    return timer.serviceLevelObjectives(COMMIT_TIME);
  }

  static DistributionSummary.Builder rows(DistributionSummary.Builder summary) {
    return summary.serviceLevelObjectives(ROWS);
  }

  private static Duration[] millis(long... bounds) {
    return LongStream.of(bounds).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
  }
}
