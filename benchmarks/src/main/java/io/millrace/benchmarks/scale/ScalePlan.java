package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.child.JvmOptions;
import java.time.Duration;
import java.util.List;

/**
 * How often and for how long everything is measured.
 *
 * @param jvmOptions the options of each process
 * @param jobs the number of jobs of a drain
 * @param warmUps the number of rounds that do not count
 * @param rounds the number of rounds that count; medians are reported
 * @param settle the time before an idle system is measured
 * @param idle the time over which an idle system is measured
 * @param pageTimes how often each page is requested in a round
 * @param firstRows the most rows that a tracker writes before the others are copied
 * @param copiedRows rows of the ledger with which copies no longer double it
 */
record ScalePlan(
    List<String> jvmOptions,
    int jobs,
    int warmUps,
    int rounds,
    Duration settle,
    Duration idle,
    int pageTimes,
    int firstRows,
    long copiedRows) {
  /** Slots of a worker that runs jobs. */
  static final int SLOTS = 16;

  /** Threads that submit at the same time. */
  static final int SUBMITTERS = 4;

  /** Jobs in one call. */
  static final int BATCH = 100;

  private static final String HEAP = "2g";

  /** Creates a plan that measures. */
  static ScalePlan of(int jobs, int warmUps, int rounds, Duration idle) {
    return new ScalePlan(
        JvmOptions.measured(HEAP),
        jobs,
        warmUps,
        rounds,
        Duration.ofSeconds(15),
        idle,
        100,
        50_000,
        200_000);
  }

  /** Creates a plan that tests the program but measures nothing. */
  static ScalePlan ofTest() {
    return new ScalePlan(
        JvmOptions.ofTest(), 64, 0, 1, Duration.ZERO, Duration.ofSeconds(1), 3, 20, 40);
  }
}
