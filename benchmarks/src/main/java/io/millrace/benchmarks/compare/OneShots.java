package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.child.ContenderFailedException;
import io.millrace.benchmarks.contender.Submission;
import io.millrace.benchmarks.contender.SubmissionRun.Submitted;
import io.millrace.benchmarks.measure.Percentiles;
import io.millrace.benchmarks.measure.WallClock;
import java.time.Duration;

/**
 * The one-shots that lateness is measured by. Jobs that run beforehand, with the numbers above
 * theirs, wake everything up and tell how long the one-shots take to be submitted.
 */
final class OneShots {
  private static final Duration SETTLE = Duration.ofSeconds(60);

  /** How many times as long as the submit should take the first due time is away. */
  private static final long MARGIN = 4;

  private final Arena arena;
  private final Plan plan;
  private long leadMillis;

  OneShots(Arena arena, Plan plan) {
    this.arena = arena;
    this.plan = plan;
  }

  /** One-shots, and jobs that run before them: the first number that is free for others. */
  int count() {
    return plan.latenessJobs() + plan.warmJobs();
  }

  /**
   * Runs some jobs, and leaves the workers at work.
   *
   * @param others jobs that come besides, with the numbers from {@link #count} on
   */
  void warmUp(int others) {
    arena.begin(count() + others);
    Submitted submitted = arena.submit(singly(plan.latenessJobs(), plan.warmJobs()));
    Arena.Drained drained = arena.drain(plan.warmJobs(), SETTLE);
    if (drained.jobs() < plan.warmJobs()) {
      throw new ContenderFailedException(
          "only %d of %d jobs ran beforehand".formatted(drained.jobs(), plan.warmJobs()), null);
    }
    long micros = submitted.micros() / submitted.count() * plan.latenessJobs();
    leadMillis = Math.max(plan.latenessLead().toMillis(), MARGIN * micros / 1_000);
  }

  private Submission singly(int from, int count) {
    return Submission.now(from, count, plan.submitters(), 1, SETTLE.toMillis());
  }

  /**
   * Submits the one-shots, all before the first of them may be due.
   *
   * @return when that is, in epoch milliseconds
   */
  long submit() {
    long from = WallClock.millis() + leadMillis;
    Submitted submitted =
        arena.submit(
            singly(0, plan.latenessJobs()).due(from, (int) plan.latenessSpan().toMillis()));
    if (submitted.count() < plan.latenessJobs() || WallClock.millis() > from) {
      throw new ContenderFailedException(
          "the submit of %d one-shots took longer than %d ms"
              .formatted(plan.latenessJobs(), leadMillis),
          null);
    }
    return from;
  }

  /** Waits until all have run, and so many others. */
  Percentiles await(int others) {
    arena.awaitDone(
        count() + others, Duration.ofMillis(leadMillis).plus(plan.latenessSpan()).plus(SETTLE));
    return arena.lateness(0, plan.latenessJobs());
  }
}
