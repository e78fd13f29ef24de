package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.contender.Submission;
import io.millrace.benchmarks.report.Measure;

/**
 * Submits batches while the workers run: measures from the first call to the last durable
 * completion.
 */
final class SteadyRound implements Round {
  private static final int LONGER = 3;

  private final Plan plan;

  SteadyRound(Plan plan) {
    this.plan = plan;
  }

  @Override
  public void run(Arena arena, Sink sink) {
    Contender contender = arena.contender();
    int jobs = contender.pace().jobsIn(plan.drain(), plan.maxJobs());
    arena.begin(jobs);
    arena.startWorkers();
    Submission submission =
        Submission.now(
            0,
            jobs,
            plan.submitters(),
            contender.kind().batch(plan.batch()),
            plan.drain().multipliedBy(LONGER).toMillis());
    sink.add(
        Measure.STEADY, arena.steady(submission, plan.drain().multipliedBy(LONGER)).perSecond());
  }
}
