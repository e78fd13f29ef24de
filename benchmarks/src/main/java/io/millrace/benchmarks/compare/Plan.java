package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.child.JvmOptions;
import java.time.Duration;
import java.util.List;

/**
 * The extent of the measurements.
 *
 * @param quick whether to measure only the drain, the batch submit and the lateness at idle
 * @param slots the number of jobs that may run at a time
 * @param submitters the number of threads that submit
 * @param batch the number of jobs in one batch submit
 * @param jvmOptions the options of every process of every contender
 * @param warmUpJobs the maximum number of jobs of a warm-up
 * @param warmUp the duration of a warm-up's submit, and half of that of its drain; zero for none
 * @param drain the approximate duration of a round's drain; the previous round shows how many jobs
 *     that takes
 * @param maxJobs the maximum number of jobs in a round
 * @param maxRounds after so many rounds a measure ends although its values still differ
 * @param budget the time on one database after which no further round of a measure begins
 * @param warmJobs the number of jobs that run before the lateness is measured
 * @param latenessLead the minimum time between the submit and the first due time; longer if a
 *     contender needs it
 * @param latenessJobs the number of one-shots whose lateness is measured
 * @param latenessSpan the time over which their due times are spread
 * @param burstJobs the number of jobs that are due at one instant
 * @param dailyJobs the number of recurring jobs that are declared
 * @param secondJobs the number of jobs that run every second; a second measurement uses ten times
 *     as many
 * @param beside the numbers of additional waiting jobs, one for each of those drains
 */
record Plan(
    boolean quick,
    int slots,
    int submitters,
    int batch,
    List<String> jvmOptions,
    int warmUpJobs,
    Duration warmUp,
    Duration drain,
    int maxJobs,
    int maxRounds,
    Duration budget,
    int warmJobs,
    Duration latenessLead,
    int latenessJobs,
    Duration latenessSpan,
    int burstJobs,
    int dailyJobs,
    int secondJobs,
    List<Integer> beside) {
  private static final int SLOTS = 16;
  private static final int SUBMITTERS = 4;
  private static final int BATCH = 100;
  private static final int MAX_JOBS = 200_000;
  private static final int WARM_JOBS = 400;
  private static final String HEAP = "1g";

  /** Creates a plan for two databases within a quarter of an hour. */
  static Plan ofQuick() {
    return new Plan(
        true,
        SLOTS,
        SUBMITTERS,
        BATCH,
        JvmOptions.measured(HEAP),
        30_000,
        Duration.ofSeconds(8),
        Duration.ofMillis(2_500),
        MAX_JOBS,
        8,
        Duration.ofMinutes(5),
        WARM_JOBS,
        Duration.ofSeconds(3),
        200,
        Duration.ofSeconds(10),
        0,
        0,
        0,
        List.of());
  }

  /** Creates a plan with all measurements. */
  static Plan ofFull() {
    return new Plan(
        false,
        SLOTS,
        SUBMITTERS,
        BATCH,
        JvmOptions.measured(HEAP),
        250_000,
        Duration.ofSeconds(25),
        Duration.ofSeconds(8),
        MAX_JOBS,
        12,
        Duration.ofMinutes(12),
        WARM_JOBS,
        Duration.ofSeconds(8),
        1_000,
        Duration.ofSeconds(30),
        100_000,
        10_000,
        1_000,
        List.of(0, 10_000, 100_000, 1_000_000));
  }

  /**
   * Creates a plan with a few dozen jobs, which tests the program but measures nothing.
   *
   * @param quick whether to run only the measurements of a quick run
   */
  static Plan ofTest(boolean quick) {
    return new Plan(
        quick,
        SLOTS,
        SUBMITTERS,
        10,
        JvmOptions.ofTest(),
        0,
        Duration.ZERO,
        Duration.ofSeconds(1),
        60,
        1,
        Duration.ofSeconds(1),
        10,
        Duration.ofSeconds(1),
        10,
        Duration.ofMillis(200),
        20,
        10,
        2,
        List.of(0));
  }
}
