package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.child.ContenderFailedException;
import io.millrace.benchmarks.contender.Submission;
import io.millrace.benchmarks.contender.SubmissionRun.Submitted;
import io.millrace.benchmarks.measure.Percentiles;
import io.millrace.benchmarks.measure.WallClock;
import io.millrace.benchmarks.report.Measure;
import java.time.Duration;

/**
 * One-shots that are due at random milliseconds, with nothing else to do: how much later than due
 * they run.
 */
final class LatenessRound implements Round {
  private static final Duration SETTLE = Duration.ofSeconds(30);

  private final Plan plan;

  LatenessRound(Plan plan) {
    this.plan = plan;
  }

  @Override
  public void run(Arena arena, Sink sink) {
    int jobs = plan.latenessJobs();
    warmUp(arena, jobs);
    submit(arena, plan);
    arena.awaitDone(
        jobs + plan.warmJobs(), plan.latenessLead().plus(plan.latenessSpan()).plus(SETTLE));
    Percentiles late = arena.lateness(0, jobs);
    sink.add(Measure.LATENESS_P50, late.p50());
    sink.add(Measure.LATENESS_P95, late.p95());
    sink.add(Measure.LATENESS_P99, late.p99());
    sink.add(Measure.LATENESS_MAX, late.max());
  }

  private void warmUp(Arena arena, int jobs) {
    arena.begin(jobs + plan.warmJobs());
    Submitted unused =
        arena.submit(
            Submission.now(
                jobs, plan.warmJobs(), plan.submitters(), plan.batch(), SETTLE.toMillis()));
    Arena.Drained drained = arena.drain(plan.warmJobs(), SETTLE);
    if (drained.jobs() < plan.warmJobs()) {
      throw new ContenderFailedException(
          "only " + drained.jobs() + " of " + plan.warmJobs() + " jobs ran beforehand", null);
    }
  }

  /** Submits the one-shots, one by one, and returns when the first of them may be due. */
  static long submit(Arena arena, Plan plan) {
    long from = WallClock.millis() + plan.latenessLead().toMillis();
    Submitted submitted =
        arena.submit(
            Submission.now(0, plan.latenessJobs(), plan.submitters(), 1, SETTLE.toMillis())
                .due(from, (int) plan.latenessSpan().toMillis()));
    if (submitted.count() < plan.latenessJobs() || WallClock.millis() > from) {
      throw new ContenderFailedException(
          "the submit of %d one-shots took longer than %s"
              .formatted(plan.latenessJobs(), plan.latenessLead()),
          null);
    }
    return from;
  }
}
