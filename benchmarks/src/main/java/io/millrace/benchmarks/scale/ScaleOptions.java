package io.millrace.benchmarks.scale;

import io.millrace.jobtracker.OpenFiles;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The options that say how much is measured, and how often. */
final class ScaleOptions {
  private static final int MOST_GROUPS = 20_000;

  /** One address of this machine has no more ports for connections to another. */
  private static final int MOST_WORKERS = 25_000;

  private static final long MOST_ROWS = 1_000_000_000L;

  /** The highest number below those that other jobs have. */
  private static final int MOST_JOBS = 10_000_000;

  private static final int MOST_ROUNDS = 100;
  private static final int MOST_SECONDS = 3_600;

  @Option(
      names = "--waiting",
      defaultValue = "10000000",
      paramLabel = "N",
      description = "Rows: jobs that wait for a due time in a month (default: ${DEFAULT-VALUE}).")
  private long waiting;

  @Option(
      names = "--ended",
      defaultValue = "50000000",
      paramLabel = "N",
      description = "Rows: rows of the ledger (default: ${DEFAULT-VALUE}).")
  private long ended;

  @Option(
      names = "--groups",
      split = ",",
      defaultValue = "1,100,1000",
      paramLabel = "N",
      description = "The numbers of node groups (default: ${DEFAULT-VALUE}).")
  private List<Integer> groups = List.of();

  @Option(
      names = "--workers",
      split = ",",
      defaultValue = "100,1000,10000",
      paramLabel = "N",
      description = "The numbers of workers (default: ${DEFAULT-VALUE}).")
  private List<Integer> workers = List.of();

  @Option(
      names = "--trackers",
      split = ",",
      defaultValue = "1,2,4",
      paramLabel = "N",
      description = "The numbers of trackers (default: ${DEFAULT-VALUE}).")
  private List<Integer> trackers = List.of();

  @Option(
      names = "--jobs",
      defaultValue = "50000",
      paramLabel = "N",
      description = "The jobs of a drain (default: ${DEFAULT-VALUE}).")
  private int jobs;

  @Option(
      names = "--warm-up",
      defaultValue = "3",
      paramLabel = "N",
      description = "Drains that do not count (default: ${DEFAULT-VALUE}).")
  private int warmUps;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      paramLabel = "N",
      description = "Drains that count, by their median (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--idle",
      defaultValue = "30",
      paramLabel = "SECONDS",
      description = "How long an idle system is measured (default: ${DEFAULT-VALUE}).")
  private int idleSeconds;

  @Option(names = "--tiny", hidden = true, description = "A few dozen jobs, for tests.")
  private boolean tiny;

  long waiting() {
    return waiting;
  }

  long ended() {
    return ended;
  }

  List<Integer> groups() {
    return groups;
  }

  List<Integer> workers() {
    return workers;
  }

  List<Integer> trackers() {
    return trackers;
  }

  ScalePlan plan() {
    return tiny
        ? ScalePlan.ofTest()
        : ScalePlan.of(jobs, warmUps, rounds, Duration.ofSeconds(idleSeconds));
  }

  /**
   * Checks the values.
   *
   * @param measures what is to be measured
   * @throws IllegalArgumentException that names the option, and what it may be
   */
  void check(List<Measurement> measures) {
    require("--waiting", waiting, 0, MOST_ROWS);
    require("--ended", ended, 0, MOST_ROWS);
    require("--jobs", jobs, 1, MOST_JOBS);
    require("--warm-up", warmUps, 0, MOST_ROUNDS);
    require("--rounds", rounds, 1, MOST_ROUNDS);
    require("--idle", idleSeconds, 1, MOST_SECONDS);
    groups.forEach(number -> require("--groups", number, 1, MOST_GROUPS));
    workers.forEach(number -> require("--workers", number, 1, MOST_WORKERS));
    trackers.forEach(number -> require("--trackers", number, 1, TrackersMeasure.MOST));
    if (measures.contains(Measurement.GROUPS)) {
      requireOpenFiles("--groups", groups);
    }
    if (measures.contains(Measurement.WORKERS)) {
      requireOpenFiles("--workers", workers);
    }
  }

  private static void require(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s must be %,d to %,d, not %,d", option, least, most, value));
    }
  }

  /**
   * Each worker, of which a node group has one, has a connection to the tracker: an open file in
   * this process, and one in that of the tracker, to which the same bound applies.
   */
  private static void requireOpenFiles(String option, List<Integer> sizes) {
    int most = sizes.stream().mapToInt(Integer::intValue).max().orElse(0);
    OpenFiles.ofThisProcess()
        .shortage(most, "%s %d is".formatted(option, most))
        .ifPresent(
            shortage -> {
              throw new IllegalArgumentException(shortage);
            });
  }
}
