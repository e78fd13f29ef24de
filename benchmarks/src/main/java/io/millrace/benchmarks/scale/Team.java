package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.child.ContenderFailedException;
import io.millrace.benchmarks.child.PartProcess;
import io.millrace.benchmarks.child.PartProcess.Progress;
import io.millrace.benchmarks.contender.PartKind;
import io.millrace.benchmarks.contender.Place;
import io.millrace.benchmarks.contender.Submission;
import io.millrace.benchmarks.contender.SubmissionRun.Submitted;
import io.millrace.benchmarks.measure.WallClock;
import java.util.concurrent.TimeUnit;

/** A client and workers, in a process each. Not thread-safe. */
final class Team {
  private final PartProcess client;
  private final PartProcess workers;

  private Team(PartProcess client, PartProcess workers) {
    this.client = client;
    this.workers = workers;
  }

  static Team start(Children children) {
    return new Team(
        children.start(PartKind.MILLRACE_CLIENT), children.start(PartKind.MILLRACE_WORKER));
  }

  /** Rates in jobs per second. */
  record Rates(double submitted, double drained) {}

  /**
   * Connects to trackers.
   *
   * @param addresses their addresses, separated by commas
   * @param groups the number of node groups of the jobs
   */
  void open(String addresses, int groups) {
    Place at = Place.of(addresses, "", ScalePlan.SLOTS).over(groups);
    String unused = client.open(at);
    unused = workers.open(at);
  }

  /**
   * Submits jobs that are due now, then starts workers and waits until the last end is in the
   * tables, which this tracker reads.
   */
  Rates drain(PartProcess tracker, int jobs) throws InterruptedException {
    workers.begin(jobs);
    Submitted submitted =
        client.submit(
            Submission.now(
                0, jobs, ScalePlan.SUBMITTERS, ScalePlan.BATCH, Bench.PATIENCE.toMillis() / 2));
    if (submitted.count() < jobs) {
      throw new ContenderFailedException(
          "accepted only %d of %d jobs".formatted(submitted.count(), jobs), null);
    }
    workers.startWorkers();
    Bench.await(
        () -> isDrained(tracker, jobs), () -> "%d jobs were not all drained".formatted(jobs));
    long end = WallClock.micros();
    double seconds = (end - workers.progress().firstMicros()) / Bench.MICROS;
    workers.stopWorkers();
    return new Rates(submitted.count() * Bench.MICROS / submitted.micros(), jobs / seconds);
  }

  private boolean isDrained(PartProcess tracker, int jobs) {
    Progress progress = workers.progress();
    // What waits beside is due in a month.
    return progress.executed() >= jobs
        && tracker.unfinished(WallClock.millis() + TimeUnit.DAYS.toMillis(1)) == 0;
  }

  void close() {
    workers.closePart();
    client.closePart();
  }
}
