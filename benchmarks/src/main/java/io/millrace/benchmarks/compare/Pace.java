package io.millrace.benchmarks.compare;

import java.time.Duration;

/** The rate of a contender at its last drain. Not thread-safe. */
final class Pace {
  private static final int LEAST_JOBS = 50;
  private static final double MILLIS = 1_000;

  private double drained;

  /** Records a rate in jobs per second. */
  void drained(double jobsPerSecond) {
    drained = jobsPerSecond;
  }

  /** Returns the rate of the last drain in jobs per second; 0 if there was none. */
  double drained() {
    return drained;
  }

  /** Returns approximately how many jobs the contender drains in this time, up to a limit. */
  int jobsIn(Duration time, int most) {
    double jobs = drained * time.toMillis() / MILLIS;
    return (int) Math.min(most, Math.max(LEAST_JOBS, jobs));
  }
}
