package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.child.ContenderFailedException;
import io.millrace.benchmarks.contender.Part;
import io.millrace.benchmarks.contender.PartKind;
import io.millrace.benchmarks.contender.Place;
import io.millrace.benchmarks.contender.Submission;
import io.millrace.benchmarks.contender.SubmissionRun;
import io.millrace.benchmarks.contender.SubmissionRun.Submitted;
import io.millrace.benchmarks.contender.Submitter;
import io.millrace.benchmarks.measure.WallClock;
import java.util.concurrent.TimeUnit;

/**
 * Jobs that are all due at one instant, when simulated workers run them: these pull all the time,
 * so that jobs that are due at once would be gone before all are submitted.
 */
final class DueJobs implements AutoCloseable {
  private static final int TRIES = 6;
  private static final long MARGIN_MILLIS = 3_000;

  /** The time between submit and due time, as a multiple of the time that the last submit took. */
  private static final long LONGER = 2;

  /** Less than any submit should take, in jobs per second. */
  private static final long SLOW = 2_500;

  private final Part client = PartKind.MILLRACE_CLIENT.make();
  private final int jobs;
  private long leadMillis;
  private int next;

  /**
   * @param jobs the number of jobs of a drain
   */
  DueJobs(String tracker, int jobs) throws Exception {
    this.jobs = jobs;
    this.leadMillis = MARGIN_MILLIS + TimeUnit.SECONDS.toMillis(jobs) / SLOW;
    String unused = client.open(Place.of(tracker, "", ScalePlan.SLOTS));
  }

  /**
   * Submits the jobs and waits until the workers' last result is stored.
   *
   * @return jobs per second, from the due time on
   */
  double drain(WorkerCounts workers) throws Exception {
    for (int i = 0; i < TRIES; i++) {
      long before = workers.accepted();
      long due = WallClock.millis() + leadMillis;
      Submitted submitted =
          SubmissionRun.run(
              (Submitter) client,
              Submission.now(
                      next, jobs, ScalePlan.SUBMITTERS, ScalePlan.BATCH, Bench.PATIENCE.toMillis())
                  .due(due, 0));
      if (submitted.count() < jobs) {
        throw new ContenderFailedException(
            "accepted only %d of %d jobs".formatted(submitted.count(), jobs), null);
      }
      boolean inTime = WallClock.millis() < due;
      next += jobs;
      Bench.await(
          () -> workers.accepted() - before >= jobs,
          () -> "%d of %d jobs have ended".formatted(workers.accepted() - before, jobs));
      long micros = workers.lastAcceptedMicros() - TimeUnit.MILLISECONDS.toMicros(due);
      leadMillis = MARGIN_MILLIS + LONGER * TimeUnit.MICROSECONDS.toMillis(submitted.micros());
      if (inTime) {
        return jobs * Bench.MICROS / micros;
      }
    }
    throw new ContenderFailedException(
        "%d jobs were never submitted before they were due".formatted(jobs), null);
  }

  @Override
  public void close() throws Exception {
    client.close();
  }
}
