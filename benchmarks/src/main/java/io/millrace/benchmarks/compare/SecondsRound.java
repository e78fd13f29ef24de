package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.child.ContenderFailedException;
import io.millrace.benchmarks.measure.Percentiles;
import io.millrace.benchmarks.measure.WallClock;
import java.time.Duration;

/** Recurring jobs that run every second: measures the rate and the lateness of the runs. */
final class SecondsRound implements Round {
  /** The average number of runs of each job before the measurement. */
  private static final int WARM_UP_RUNS = 5;

  private static final int RUNS_EXPECTED_AT_MOST = 120;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final double MICROS = 1_000_000;
  private static final double MEBIBYTE = 1 << 20;

  /** Receives the values of a round. */
  interface Values {
    void take(Sink sink, double perSecond, Percentiles late, double heapMebibytes);
  }

  private final int jobs;
  private final Duration span;
  private final Values values;

  /**
   * @param span the duration of the measurement
   */
  SecondsRound(int jobs, Duration span, Values values) {
    this.jobs = jobs;
    this.span = span;
    this.values = values;
  }

  @Override
  public void run(Arena arena, Sink sink) {
    arena.begin(jobs * RUNS_EXPECTED_AT_MOST);
    arena.startWorkers();
    arena.submitEverySecond(jobs);
    warmUp(arena);
    int before = arena.executed();
    long begin = WallClock.micros();
    Arena.pause(span.toMillis());
    int after = arena.executed();
    double seconds = (WallClock.micros() - begin) / MICROS;
    values.take(
        sink,
        (after - before) / seconds,
        arena.lateness(before, after),
        arena.heapBytes() / MEBIBYTE);
  }

  /** Waits for the warm-up runs. Accepts fewer runs if the machine is too slow. */
  private void warmUp(Arena arena) {
    long begin = WallClock.nanoTime();
    while (arena.executed() < WARM_UP_RUNS * jobs) {
      if (WallClock.nanoTime() - begin > PATIENCE.toNanos()) {
        if (arena.executed() < jobs) {
          throw new ContenderFailedException(
              "%d jobs that run every second ran %d times in %s"
                  .formatted(jobs, arena.executed(), PATIENCE),
              null);
        }
        return;
      }
      Arena.pause(10);
    }
  }
}
