package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.child.PartProcess;
import io.millrace.benchmarks.contender.MillraceTables;
import io.millrace.benchmarks.contender.PartKind;
import io.millrace.benchmarks.database.Databases.Fresh;
import io.millrace.benchmarks.measure.WallClock;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Measures a tracker that serves many node groups, each with ten jobs that fire once a minute and
 * with one worker; then how long another tracker takes to serve them all.
 */
final class GroupsMeasure {
  private static final int SLOTS = 4;

  private final Bench bench;
  private final List<Integer> sizes;

  /**
   * @param sizes the numbers of node groups
   */
  GroupsMeasure(Bench bench, List<Integer> sizes) {
    this.bench = bench;
    this.sizes = sizes;
  }

  void run() throws Exception {
    for (int groups : sizes) {
      try (Fresh database = bench.databases().fresh();
          Children children = bench.children()) {
        PartProcess tracker = children.start(PartKind.MILLRACE_SERVER);
        String address = tracker.open(bench.place(database));
        RecurringJobs.submit(address, groups);
        awaitServed(tracker, groups);
        idle(tracker, address, groups);
        tracker.closePart();
        measureStarts(children, database, groups);
      }
    }
  }

  private void idle(PartProcess tracker, String address, int groups) throws Exception {
    try (SimulatedWorkers workers =
        SimulatedWorkers.start(address, groups, SLOTS, MillraceTables::group)) {
      workers.awaitServed();
      new Idling(bench, Measurement.GROUPS, groups).measure(tracker);
      double heap = tracker.usage(true).heapBytes() / Bench.MEBIBYTE;
      add("heap of the tracker", "MiB", groups, heap);
    }
  }

  /**
   * Starts a tracker alone, and on a server one beside it. When the other tracker of two is closed
   * or lost, the one that is left takes half of the node groups: it has the other half before.
   */
  private void measureStarts(Children children, Fresh database, int groups) throws Exception {
    PartProcess first = children.start(PartKind.MILLRACE_SERVER);
    long begin = WallClock.nanoTime();
    String unused = first.open(bench.place(database));
    awaitServed(first, groups);
    add("start until all are served", "s", groups, Bench.secondsSince(begin));
    if (!bench.kind().isServer()) {
      return;
    }
    PartProcess second = join(children, database, groups);
    begin = WallClock.nanoTime();
    CompletableFuture<Void> closed = CompletableFuture.runAsync(first::closePart);
    awaitServed(second, groups);
    add("other closed until all are served", "s", groups, Bench.secondsSince(begin));
    closed.join();
    PartProcess third = join(children, database, groups);
    begin = WallClock.nanoTime();
    second.crash();
    awaitServed(third, groups);
    add("other lost until all are served", "s", groups, Bench.secondsSince(begin));
  }

  /** Starts a tracker beside one that serves all node groups; returns it when it has its share. */
  private PartProcess join(Children children, Fresh database, int groups)
      throws InterruptedException {
    PartProcess tracker = children.start(PartKind.MILLRACE_SERVER);
    String unused = tracker.open(bench.place(database));
    awaitServed(tracker, groups / 2);
    return tracker;
  }

  private static void awaitServed(PartProcess tracker, int groups) throws InterruptedException {
    Bench.await(
        () -> tracker.served() == groups,
        () -> "%d of %d node groups are served".formatted(tracker.served(), groups));
  }

  private void add(String what, String unit, int groups, double value) {
    bench.add(Measurement.GROUPS, what, unit, groups, value);
  }
}
