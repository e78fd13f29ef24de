package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.measure.Percentiles;
import io.millrace.benchmarks.report.Measure;

/**
 * One-shots due at random milliseconds, without other load: measures how long after their due time
 * they run.
 */
final class LatenessRound implements Round {
  private final Plan plan;

  LatenessRound(Plan plan) {
    this.plan = plan;
  }

  @Override
  public void run(Arena arena, Sink sink) {
    OneShots oneShots = new OneShots(arena, plan);
    oneShots.warmUp(0);
    long unused = oneShots.submit();
    Percentiles late = oneShots.await(0);
    sink.add(Measure.LATENESS_P50, late.p50());
    sink.add(Measure.LATENESS_P95, late.p95());
    sink.add(Measure.LATENESS_P99, late.p99());
    sink.add(Measure.LATENESS_MAX, late.max());
  }
}
