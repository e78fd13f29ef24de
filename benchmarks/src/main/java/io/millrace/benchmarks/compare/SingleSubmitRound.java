package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.contender.Submission;
import io.millrace.benchmarks.contender.SubmissionRun.Submitted;
import io.millrace.benchmarks.report.Measure;

/** Submits jobs one by one while no workers run; each thread waits for each acknowledgement. */
final class SingleSubmitRound implements Round {
  private static final double MICROS = 1_000_000;

  private final Plan plan;

  SingleSubmitRound(Plan plan) {
    this.plan = plan;
  }

  @Override
  public void run(Arena arena, Sink sink) {
    arena.begin(0);
    Submitted submitted =
        arena.submit(
            Submission.now(0, plan.maxJobs(), plan.submitters(), 1, plan.drain().toMillis()));
    sink.add(Measure.SUBMIT_SINGLE, submitted.count() * MICROS / submitted.micros());
  }
}
