package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.child.PartProcess;
import io.millrace.benchmarks.measure.WallClock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Measures what a tracker uses while little happens. */
final class Idling {
  private static final double MICROS_OF_MILLI = 1_000;

  private final Bench bench;
  private final Measurement measurement;
  private final long size;

  Idling(Bench bench, Measurement measurement, long size) {
    this.bench = bench;
    this.measurement = measurement;
    this.size = size;
  }

  /**
   * Lets the tracker settle, then records its processor time a second and, of a server, that of the
   * database and the statements a second.
   */
  void measure(PartProcess tracker) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(bench.plan().settle().toMillis());
    Optional<Long> statements = statements(tracker);
    long ofServer = bench.databases().serverCpuMicros();
    long micros = tracker.usage(false).cpuMicros();
    long begin = WallClock.nanoTime();
    TimeUnit.MILLISECONDS.sleep(bench.plan().idle().toMillis());
    double used = (tracker.usage(false).cpuMicros() - micros) / MICROS_OF_MILLI;
    double seconds = Bench.secondsSince(begin);
    bench.add(measurement, "processor time of the tracker, idle", "ms/s", size, used / seconds);
    if (bench.kind().isServer()) {
      double server = (bench.databases().serverCpuMicros() - ofServer) / MICROS_OF_MILLI;
      bench.add(
          measurement, "processor time of the database, idle", "ms/s", size, server / seconds);
    }
    Optional<Long> later = statements(tracker);
    if (statements.isPresent() && later.isPresent()) {
      double count = later.get() - statements.get();
      bench.add(measurement, "statements, idle", "1/s", size, count / seconds);
    }
  }

  private Optional<Long> statements(PartProcess tracker) {
    return bench.kind().statements().map(tracker::query);
  }
}
