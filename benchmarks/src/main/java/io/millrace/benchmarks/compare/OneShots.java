package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.child.ContenderFailedException;
import io.millrace.benchmarks.contender.Submission;
import io.millrace.benchmarks.contender.SubmissionRun.Submitted;
import io.millrace.benchmarks.measure.Percentiles;
import io.millrace.benchmarks.measure.WallClock;
import java.time.Duration;

/**
 * The one-shots that measure lateness. Preceding jobs, with higher numbers, warm everything up and
 * show how long submitting the one-shots takes.
 */
final class OneShots {
  private static final Duration SETTLE = Duration.ofSeconds(60);

  /**
   * The factor by which the time before the first due time exceeds the expected time of the submit.
   */
  private static final long MARGIN = 4;

  private final Arena arena;
  private final Plan plan;
  private long leadMillis;

  OneShots(Arena arena, Plan plan) {
    this.arena = arena;
    this.plan = plan;
  }

  /**
   * Returns the number of one-shots and preceding jobs, which is the first free number for other
   * jobs.
   */
  int count() {
    return plan.latenessJobs() + plan.warmJobs();
  }

  /**
   * Runs the preceding jobs and leaves the workers running.
   *
   * @param others the number of additional jobs, with numbers from {@link #count} on
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
   * Submits all one-shots before the first one may be due.
   *
   * @return when the first one may be due, in epoch milliseconds
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

  /** Waits until all one-shots and this number of other jobs have run. */
  Percentiles await(int others) {
    arena.awaitDone(
        count() + others, Duration.ofMillis(leadMillis).plus(plan.latenessSpan()).plus(SETTLE));
    return arena.lateness(0, plan.latenessJobs());
  }
}
