package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.contender.Submission;
import io.millrace.benchmarks.contender.SubmissionRun.Submitted;
import io.millrace.benchmarks.measure.Percentiles;
import io.millrace.benchmarks.measure.WallClock;
import io.millrace.benchmarks.report.Measure;
import java.time.Duration;
import java.util.function.ToDoubleFunction;

/** Many jobs that are due at the same instant: measures when the first one and the last one run. */
final class BurstRound implements Round {
  /** The longest permitted duration; slower contenders are omitted. */
  static final Duration LONGEST = Duration.ofMinutes(2);

  private static final Duration LEAD = Duration.ofSeconds(5);
  private static final double MARGIN = 1.5;
  private static final double MILLIS = 1_000;

  private final Plan plan;
  private final ToDoubleFunction<Contender> submitting;

  /**
   * @param submitting the rate at which a contender accepts batches, in jobs per second
   */
  BurstRound(Plan plan, ToDoubleFunction<Contender> submitting) {
    this.plan = plan;
    this.submitting = submitting;
  }

  @Override
  public void run(Arena arena, Sink sink) {
    int jobs = plan.burstJobs();
    double millis = jobs / submitting.applyAsDouble(arena.contender()) * MILLIS * MARGIN;
    long due = WallClock.millis() + LEAD.toMillis() + (long) millis;
    arena.begin(jobs);
    arena.startWorkers();
    Submitted submitted =
        arena.submit(
            Submission.now(
                    0,
                    jobs,
                    plan.submitters(),
                    arena.contender().kind().batch(plan.batch()),
                    due - WallClock.millis())
                .due(due, 0));
    Duration waiting = Duration.ofMillis(Math.max(0, due - WallClock.millis()));
    arena.awaitDone(submitted.count(), waiting.plus(LONGEST.multipliedBy(2)));
    Percentiles late = arena.lateness(0, submitted.count());
    sink.add(Measure.BURST_FIRST, late.min());
    sink.add(Measure.BURST_P99, late.p99());
    sink.add(Measure.BURST_LAST, late.max());
  }
}
