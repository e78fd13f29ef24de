package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.contender.Submission;
import io.millrace.benchmarks.contender.SubmissionRun.Submitted;
import io.millrace.benchmarks.measure.Percentiles;
import io.millrace.benchmarks.measure.WallClock;
import io.millrace.benchmarks.report.Measure;
import java.time.Duration;
import java.util.function.ToDoubleFunction;

/**
 * One-shots due at random milliseconds, while jobs that are due immediately are submitted at half
 * the rate of the contender's own steady state.
 */
final class HalfLoadRound implements Round {
  private static final int BATCHES_A_SECOND = 100;
  private static final double MICROS = 1_000_000;

  /** The maximum time before the first one-shot is due; the load ends with the last one. */
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private final Plan plan;
  private final ToDoubleFunction<Contender> steady;

  /**
   * @param steady the steady-state rate of a contender, in jobs per second
   */
  HalfLoadRound(Plan plan, ToDoubleFunction<Contender> steady) {
    this.plan = plan;
    this.steady = steady;
  }

  @Override
  public void run(Arena arena, Sink sink) {
    OneShots oneShots = new OneShots(arena, plan);
    double perSecond = steady.applyAsDouble(arena.contender()) / 2;
    int most = (int) (perSecond * LONGEST.plus(plan.latenessSpan()).toSeconds());
    oneShots.warmUp(most);
    long end = oneShots.submit() + plan.latenessSpan().toMillis();
    int batch = (int) Math.max(1, Math.min(plan.batch(), perSecond / BATCHES_A_SECOND));
    Submitted submitted =
        arena.submit(
            Submission.now(
                    oneShots.count(),
                    most,
                    plan.submitters(),
                    batch,
                    Math.max(1, end - WallClock.millis()))
                .paced(perSecond));
    sink.add(Measure.HALF_LOAD_BACKLOG, (double) arena.unfinished());
    sink.add(Measure.HALF_LOAD_RATE, submitted.count() * MICROS / submitted.micros());
    Percentiles late = oneShots.await(submitted.count());
    sink.add(Measure.HALF_LOAD_P50, late.p50());
    sink.add(Measure.HALF_LOAD_P95, late.p95());
    sink.add(Measure.HALF_LOAD_P99, late.p99());
    sink.add(Measure.HALF_LOAD_MAX, late.max());
  }
}
