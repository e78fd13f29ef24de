package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.child.ContenderFailedException;
import io.millrace.benchmarks.contender.Submission;
import io.millrace.benchmarks.contender.SubmissionRun.Submitted;
import io.millrace.benchmarks.measure.WallClock;
import io.millrace.benchmarks.report.Measure;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Drains while many jobs that are due in a month wait in the same tables. */
final class BesideRound implements Round {
  private static final Duration FILLING = Duration.ofMinutes(8);
  private static final int FILLING_BATCH = 1_000;
  private static final int LONGER = 4;
  private static final int DRAINS = 3;

  private final Plan plan;
  private final Measure measure;
  private final int beside;

  /**
   * @param beside the number of waiting jobs
   */
  BesideRound(Plan plan, Measure measure, int beside) {
    this.plan = plan;
    this.measure = measure;
    this.beside = beside;
  }

  @Override
  public void run(Arena arena, Sink sink) {
    int jobs = arena.contender().pace().jobsIn(plan.drain(), plan.maxJobs());
    fill(arena, jobs);
    for (int i = 0; i < DRAINS; i++) {
      arena.begin(jobs);
      Duration atMost = plan.drain().multipliedBy(LONGER);
      Submitted submitted =
          arena.submit(Submission.now(0, jobs, plan.submitters(), plan.batch(), atMost.toMillis()));
      Arena.Drained drained = arena.drain(submitted.count(), atMost);
      if (drained.jobs() < submitted.count()) {
        throw new ContenderFailedException(
            "drained %d of %d jobs in %s".formatted(drained.jobs(), submitted.count(), atMost),
            null);
      }
      sink.add(measure, drained.perSecond());
      arena.stopWorkers();
    }
  }

  private void fill(Arena arena, int from) {
    if (beside > 0) {
      Submitted submitted =
          arena.submit(
              Submission.now(from, beside, plan.submitters(), FILLING_BATCH, FILLING.toMillis())
                  .due(
                      WallClock.millis() + TimeUnit.DAYS.toMillis(30),
                      (int) TimeUnit.DAYS.toMillis(10)));
      if (submitted.count() < beside) {
        throw new ContenderFailedException(
            "accepted only %d of %d jobs in %s".formatted(submitted.count(), beside, FILLING),
            null);
      }
    }
  }
}
