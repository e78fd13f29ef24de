package io.millrace.benchmarks.compare;

import java.time.Duration;

/** How fast a contender was when it was last seen. Not thread-safe. */
final class Pace {
  private static final int LEAST_JOBS = 50;
  private static final double MILLIS = 1_000;

  private double drained;

  /** Takes note of jobs a second. */
  void drained(double jobsPerSecond) {
    drained = jobsPerSecond;
  }

  /** Jobs a second of the last drain; 0 if there was none. */
  double drained() {
    return drained;
  }

  /** About how many jobs it drains in this time; not more than this many. */
  int jobsIn(Duration time, int most) {
    double jobs = drained * time.toMillis() / MILLIS;
    return (int) Math.min(most, Math.max(LEAST_JOBS, jobs));
  }
}
