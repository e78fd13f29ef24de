package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.child.PartProcess;
import io.millrace.benchmarks.contender.PartKind;
import io.millrace.benchmarks.contender.Place;
import io.millrace.benchmarks.database.Databases.Fresh;
import io.millrace.benchmarks.report.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures how much several trackers drain together, over one database and 16 node groups. The
 * processor time of a job is that from its submit to its end.
 */
final class TrackersMeasure {
  /** With more, the connections of all trackers are more than a server allows by default. */
  static final int MOST = 8;

  static final int GROUPS = 16;

  /** Connections to the database, as docs/performance.md advises for this many busy groups. */
  private static final int CONNECTIONS = 10;

  private static final int GROUPS_OF_CONNECTIONS = 2;
  private static final int CONNECTIONS_OF_FURTHER_GROUP = 4;

  /** Jobs that make the node groups. */
  private static final int FIRST_JOBS = 10 * GROUPS;

  private final Bench bench;
  private final List<Integer> sizes;

  /**
   * @param sizes the numbers of trackers, at most {@link #MOST} each
   */
  TrackersMeasure(Bench bench, List<Integer> sizes) {
    this.bench = bench;
    this.sizes = sizes;
  }

  void run() throws Exception {
    for (int count : sizes) {
      try (Fresh database = bench.databases().fresh();
          Children children = bench.children()) {
        Place place = bench.place(database).over(GROUPS).connecting(connections(count));
        List<PartProcess> trackers = new ArrayList<>();
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          PartProcess tracker = children.start(PartKind.MILLRACE_SERVER);
          addresses.add(tracker.open(place));
          trackers.add(tracker);
        }
        Team team = Team.start(children);
        team.open(String.join(",", addresses), GROUPS);
        Team.Rates unused = team.drain(trackers.get(0), FIRST_JOBS);
        awaitShares(trackers);
        measure(trackers, team);
      }
    }
  }

  private static int connections(int trackers) {
    int further = Math.max(0, GROUPS / trackers - GROUPS_OF_CONNECTIONS);
    return CONNECTIONS + CONNECTIONS_OF_FURTHER_GROUP * further;
  }

  private static void awaitShares(List<PartProcess> trackers) throws InterruptedException {
    Bench.await(
        () ->
            trackers.stream().mapToInt(PartProcess::served).sum() == GROUPS
                && trackers.stream()
                    .allMatch(tracker -> tracker.served() >= GROUPS / trackers.size()),
        () ->
            "the node groups are not shared out: "
                + trackers.stream().map(PartProcess::served).toList());
  }

  private void measure(List<PartProcess> trackers, Team team) throws InterruptedException {
    Map<String, List<Double>> rounds = new LinkedHashMap<>();
    int jobs = bench.plan().jobs();
    for (int round = 1 - bench.plan().warmUps(); round <= bench.plan().rounds(); round++) {
      long cpu = cpuMicros(trackers);
      long server = bench.databases().serverCpuMicros();
      double drained = team.drain(trackers.get(0), jobs).drained();
      bench.say("trackers %d, round %d: %,.0f jobs/s", trackers.size(), round, drained);
      if (round > 0) {
        double each = (cpuMicros(trackers) - cpu) / (double) jobs;
        double ofServer = (bench.databases().serverCpuMicros() - server) / (double) jobs;
        add(rounds, "drain of all together", drained);
        add(rounds, "processor time of the trackers for a job", each);
        add(rounds, "processor time of the database for a job", ofServer);
      }
    }
    rounds.forEach(
        (what, values) ->
            report(
                what,
                what.startsWith("drain") ? "jobs/s" : "µs",
                trackers.size(),
                Spread.of(values).median()));
    recordHeaps(trackers);
  }

  private static long cpuMicros(List<PartProcess> trackers) {
    return trackers.stream().mapToLong(tracker -> tracker.usage(false).cpuMicros()).sum();
  }

  private static void add(Map<String, List<Double>> rounds, String what, double value) {
    boolean unused = rounds.computeIfAbsent(what, unknown -> new ArrayList<>()).add(value);
  }

  private void recordHeaps(List<PartProcess> trackers) {
    List<Double> heaps =
        trackers.stream().map(tracker -> tracker.usage(true).heapBytes() / Bench.MEBIBYTE).toList();
    Spread spread = Spread.of(heaps);
    report("heap of a tracker, smallest", "MiB", trackers.size(), spread.min());
    report("heap of a tracker, largest", "MiB", trackers.size(), spread.max());
  }

  private void report(String what, String unit, int trackers, double value) {
    bench.add(Measurement.TRACKERS, what, unit, trackers, value);
  }
}
