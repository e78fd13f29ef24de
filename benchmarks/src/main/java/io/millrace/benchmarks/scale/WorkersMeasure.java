package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.child.PartProcess;
import io.millrace.benchmarks.contender.MillraceTables;
import io.millrace.benchmarks.contender.PartKind;
import io.millrace.benchmarks.database.Databases.Fresh;
import io.millrace.benchmarks.measure.WallClock;
import io.millrace.benchmarks.report.Spread;
import io.millrace.internal.rpc.HostPort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures a tracker with many workers of one node group. */
final class WorkersMeasure {
  private static final double KIBI = 1_024;

  private final Bench bench;
  private final List<Integer> sizes;

  /**
   * @param sizes the numbers of workers
   */
  WorkersMeasure(Bench bench, List<Integer> sizes) {
    this.bench = bench;
    this.sizes = sizes;
  }

  /** A tracker with its database, before and while workers are connected. */
  private record Site(
      Children children, Fresh database, PartProcess tracker, String address, int count) {}

  void run() throws Exception {
    for (int count : sizes) {
      try (Fresh database = bench.databases().fresh();
          Children children = bench.children()) {
        PartProcess tracker = children.start(PartKind.MILLRACE_SERVER);
        String address = tracker.open(bench.place(database));
        measure(new Site(children, database, tracker, address, count));
      }
    }
  }

  private void measure(Site site) throws Exception {
    double heapBefore = heapWithOne(site);
    int count = site.count();
    try (SimulatedWorkers workers =
        SimulatedWorkers.start(site.address(), count, ScalePlan.SLOTS, WorkersMeasure::group)) {
      workers.awaitServed();
      new Idling(bench, Measurement.WORKERS, count).measure(site.tracker());
      double heap = heap(site);
      add("heap of the tracker", "MiB", count, heap);
      add("heap of the tracker for a worker", "KiB", count, (heap - heapBefore) * KIBI / count);
      drain(workers, site);
      restart(workers, site);
    }
  }

  /** All workers are of one node group. */
  private static String group(int worker) {
    return MillraceTables.group(0);
  }

  /** What the first worker of a tracker creates does not belong to the cost of a worker. */
  private static double heapWithOne(Site site) throws IOException, InterruptedException {
    try (SimulatedWorkers one =
        SimulatedWorkers.start(site.address(), 1, ScalePlan.SLOTS, WorkersMeasure::group)) {
      one.awaitServed();
      return heap(site);
    }
  }

  private static double heap(Site site) {
    return site.tracker().usage(true).heapBytes() / Bench.MEBIBYTE;
  }

  private void drain(SimulatedWorkers workers, Site site) throws Exception {
    int count = site.count();
    try (DueJobs jobs = new DueJobs(site.address(), bench.plan().jobs())) {
      List<Double> rates = new ArrayList<>();
      for (int round = 1 - bench.plan().warmUps(); round <= bench.plan().rounds(); round++) {
        double rate = jobs.drain(workers.counts());
        bench.say("workers %,d, round %d: %,.0f jobs/s", count, round, rate);
        if (round > 0) {
          rates.add(rate);
        }
      }
      add("drain", "jobs/s", count, Spread.of(rates).median());
    }
  }

  /** Replaces the tracker with another process at the same port, which has been started before. */
  private void restart(SimulatedWorkers workers, Site site) throws InterruptedException {
    int count = site.count();
    int port = HostPort.parse(site.address()).port();
    PartProcess next = site.children().start(PartKind.MILLRACE_SERVER);
    long begin = WallClock.nanoTime();
    site.tracker().closePart();
    workers.awaitDisconnected();
    double closed = Bench.secondsSince(begin);
    String unused = next.open(bench.place(site.database()).at(port, 0));
    workers.awaitConnected();
    double connected = Bench.secondsSince(begin);
    add("restart: the old tracker is closed after", "s", count, closed);
    add("restart: all workers are connected after", "s", count, connected);
    workers.awaitServed();
    add("restart: all workers have been answered after", "s", count, Bench.secondsSince(begin));
  }

  private void add(String what, String unit, int count, double value) {
    bench.add(Measurement.WORKERS, what, unit, count, value);
  }
}
