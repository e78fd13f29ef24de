package io.millrace.benchmarks.compare;

import java.time.Duration;
import java.util.List;

/**
 * How much is measured.
 *
 * @param quick whether only the drain, the batch submit and the lateness at idle are
 * @param slots jobs that may run at a time
 * @param submitters threads that submit
 * @param batch jobs in one call of a batch submit
 * @param jvmOptions of every process of every contender
 * @param warmUpJobs most jobs of a warm-up; a fast contender need not do more
 * @param warmUp how long a warm-up submits, and half of how long it drains; zero for none
 * @param drain about how long a round drains; how many jobs that takes is known from the one before
 * @param maxJobs most jobs in a round
 * @param rounds most rounds of a measure
 * @param drainBudget on one database, after which no further round of drains begins
 * @param warmJobs that run before the lateness is measured
 * @param latenessLead least time between the submit and the first due time; longer if a contender
 *     needs it
 * @param latenessJobs one-shots of which the lateness is measured
 * @param latenessSpan over which they are due
 * @param burstJobs that are due at one instant
 * @param secondJobs that run every second, and a tenth of how many do
 * @param beside how many jobs wait for later, for each of the drains beside them
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
    int rounds,
    Duration drainBudget,
    int warmJobs,
    Duration latenessLead,
    int latenessJobs,
    Duration latenessSpan,
    int burstJobs,
    int secondJobs,
    List<Integer> beside) {
  private static final int SLOTS = 16;
  private static final int SUBMITTERS = 4;
  private static final int BATCH = 100;
  private static final int MAX_JOBS = 200_000;
  private static final int WARM_JOBS = 400;

  /**
   * A proxy that is not there keeps whoever would like to from telling the world what it finds
   * here.
   */
  private static final List<String> JVM_OPTIONS =
      List.of(
          "-Xms512m",
          "-Xmx1g",
          "-XX:+UseG1GC",
          "-Duser.timezone=UTC",
          "-Dhttp.proxyHost=127.0.0.1",
          "-Dhttp.proxyPort=9",
          "-Dhttps.proxyHost=127.0.0.1",
          "-Dhttps.proxyPort=9");

  /** For JVMs that live for seconds. */
  private static final List<String> TEST_JVM_OPTIONS =
      List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Duser.timezone=UTC");

  /** Both databases within five minutes. */
  static Plan ofQuick() {
    return new Plan(
        true,
        SLOTS,
        SUBMITTERS,
        BATCH,
        JVM_OPTIONS,
        30_000,
        Duration.ofSeconds(8),
        Duration.ofMillis(2_500),
        MAX_JOBS,
        3,
        Duration.ofSeconds(90),
        WARM_JOBS,
        Duration.ofSeconds(3),
        200,
        Duration.ofSeconds(10),
        0,
        0,
        List.of());
  }

  /** Everything. */
  static Plan ofFull() {
    return new Plan(
        false,
        SLOTS,
        SUBMITTERS,
        BATCH,
        JVM_OPTIONS,
        250_000,
        Duration.ofSeconds(25),
        Duration.ofSeconds(8),
        MAX_JOBS,
        3,
        Duration.ofMinutes(10),
        WARM_JOBS,
        Duration.ofSeconds(8),
        1_000,
        Duration.ofSeconds(30),
        100_000,
        1_000,
        List.of(0, 10_000, 100_000, 1_000_000));
  }

  /**
   * A few dozen jobs: shows that it works, and measures nothing.
   *
   * @param quick whether only the measures of a quick run
   */
  static Plan ofTest(boolean quick) {
    return new Plan(
        quick,
        SLOTS,
        SUBMITTERS,
        10,
        TEST_JVM_OPTIONS,
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
        2,
        List.of(0));
  }
}
