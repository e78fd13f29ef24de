package io.millrace.benchmarks.compare;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param quick whether only the drain, the batch submit and the lateness at idle are
 * @param slots jobs that may run at a time
 * @param submitters threads that submit
 * @param batch jobs in one call of a batch submit
 * @param warmUp how long a warm-up submits, and half of how long it drains
 * @param drain about how long a round drains; how many jobs that takes is known from the one before
 * @param maxJobs most jobs in a round
 * @param rounds most rounds of a measure
 * @param drainBudget on one database, after which no further round of drains begins
 * @param latenessLead between the submit and the first due time; longer than all of them take to be
 *     submitted
 * @param latenessJobs one-shots of which the lateness is measured
 * @param latenessSpan over which they are due
 * @param burstJobs that are due at one instant
 */
record Plan(
    boolean quick,
    int slots,
    int submitters,
    int batch,
    Duration warmUp,
    Duration drain,
    int maxJobs,
    int rounds,
    Duration drainBudget,
    Duration latenessLead,
    int latenessJobs,
    Duration latenessSpan,
    int burstJobs) {
  private static final int SLOTS = 16;
  private static final int SUBMITTERS = 4;
  private static final int BATCH = 100;
  private static final int MAX_JOBS = 200_000;

  /** Both databases within five minutes. */
  static Plan ofQuick() {
    return new Plan(
        true,
        SLOTS,
        SUBMITTERS,
        BATCH,
        Duration.ofMillis(1_500),
        Duration.ofMillis(2_500),
        MAX_JOBS,
        3,
        Duration.ofSeconds(90),
        Duration.ofSeconds(3),
        200,
        Duration.ofSeconds(10),
        0);
  }

  /** Everything. */
  static Plan ofFull() {
    return new Plan(
        false,
        SLOTS,
        SUBMITTERS,
        BATCH,
        Duration.ofSeconds(5),
        Duration.ofSeconds(8),
        MAX_JOBS,
        5,
        Duration.ofMinutes(10),
        Duration.ofSeconds(8),
        1_000,
        Duration.ofSeconds(30),
        100_000);
  }

  /** A few dozen jobs: shows that it works, and measures nothing. */
  static Plan ofTest() {
    return new Plan(
        true,
        SLOTS,
        SUBMITTERS,
        10,
        Duration.ofSeconds(2),
        Duration.ofSeconds(1),
        60,
        1,
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        10,
        Duration.ofMillis(200),
        0);
  }
}
