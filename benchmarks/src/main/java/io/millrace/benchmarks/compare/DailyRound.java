package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.report.Measure;

/**
 * Recurring jobs that are declared while no workers run: measures the time until all are stored.
 */
final class DailyRound implements Round {
  private static final double MICROS = 1_000_000;

  private final int jobs;

  DailyRound(int jobs) {
    this.jobs = jobs;
  }

  @Override
  public void run(Arena arena, Sink sink) {
    sink.add(Measure.DECLARE_DAILY, arena.contender().submitter().submitDaily(jobs) / MICROS);
  }
}
