package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.child.PartProcess;
import io.millrace.benchmarks.contender.MillraceTables;
import io.millrace.benchmarks.contender.Operated.Console;
import io.millrace.benchmarks.contender.PartKind;
import io.millrace.benchmarks.database.Databases.Fresh;
import io.millrace.benchmarks.measure.Percentiles;
import io.millrace.benchmarks.pages.ApiPages;
import io.millrace.benchmarks.report.Spread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Compares an empty store with one that has many rows. The same processes visit both in turn, and
 * each round reverses the order.
 */
final class RowsMeasure {
  private static final String HEAP = "heap of the tracker";

  private static final List<String> PAGES =
      List.of(
          "/api/v1/overview",
          "/api/v1/groups",
          "/api/v1/history",
          "/api/v1/history?group={group}&status=SUCCEEDED",
          "/api/v1/history/count?group={group}",
          "/api/v1/triggers/{group}",
          "/api/v1/triggers/{group}/one-shots",
          "/api/v1/triggers/{group}/one-shots/count",
          "/api/v1/jobs/{group}/job-0/status",
          "/metrics");

  private final Bench bench;
  private final long waiting;
  private final long ended;

  /**
   * @param waiting the number of jobs that wait for a due time in a month
   * @param ended the number of rows of the ledger
   */
  RowsMeasure(Bench bench, long waiting, long ended) {
    this.bench = bench;
    this.waiting = waiting;
    this.ended = ended;
  }

  /** Values of one kind: the unit, and a value for each round. */
  private record Values(String unit, List<Double> ofRounds) {}

  /** A store, and what was measured in it. */
  private static final class Store {
    final Map<String, Values> values = new LinkedHashMap<>();
    String token = "";
  }

  void run() throws Exception {
    FilledStore.requireRoom(bench, waiting + ended);
    try (Fresh many = bench.databases().fresh();
        Children children = bench.children()) {
      new FilledStore(bench, many).fill(waiting, ended);
      PartProcess tracker = children.start(PartKind.MILLRACE_SERVER);
      Team team = Team.start(children);
      Store empty = new Store();
      Store filled = new Store();
      for (int round = 1 - bench.plan().warmUps(); round <= bench.plan().rounds(); round++) {
        boolean counts = round > 0;
        bench.say("rows, round %d", round);
        if (round % 2 == 0) {
          visitEmpty(empty, tracker, team, counts);
          visit(many, filled, tracker, team, counts);
        } else {
          visit(many, filled, tracker, team, counts);
          visitEmpty(empty, tracker, team, counts);
        }
      }
      report(empty, 0);
      report(filled, waiting + ended);
    }
  }

  /** Each visit of an empty store is of a new one. */
  private void visitEmpty(Store store, PartProcess tracker, Team team, boolean counts)
      throws IOException, InterruptedException {
    try (Fresh none = bench.databases().fresh()) {
      visit(none, store, tracker, team, counts);
    }
  }

  private void visit(Fresh database, Store store, PartProcess tracker, Team team, boolean counts)
      throws IOException, InterruptedException {
    String address = tracker.open(bench.place(database));
    Console console = tracker.console();
    if (!console.token().isEmpty()) {
      store.token = console.token();
    }
    team.open(address, 1);
    Team.Rates rates = team.drain(tracker, bench.plan().jobs());
    Map<String, Double> pages = pages(new ApiPages(console.url(), store.token));
    double heap = tracker.usage(true).heapBytes() / Bench.MEBIBYTE;
    team.close();
    tracker.closePart();
    bench.say(
        "%,.0f jobs/s submitted, %,.0f jobs/s drained, %.1f MiB",
        rates.submitted(), rates.drained(), heap);
    if (counts) {
      add(store, "batch submit", "jobs/s", rates.submitted());
      add(store, "drain", "jobs/s", rates.drained());
      add(store, HEAP, "MiB", heap);
      pages.forEach((page, millis) -> add(store, "p95 of " + page, "ms", millis));
    }
  }

  private static void add(Store store, String what, String unit, double value) {
    store
        .values
        .computeIfAbsent(what, unknown -> new Values(unit, new ArrayList<>()))
        .ofRounds()
        .add(value);
  }

  /** Requests the pages in turn; returns the time that 95 of 100 requests take at most. */
  private Map<String, Double> pages(ApiPages api) throws IOException, InterruptedException {
    int times = bench.plan().pageTimes();
    Map<String, Double> millis = new LinkedHashMap<>();
    for (String page : PAGES) {
      String path = page.replace("{group}", MillraceTables.group(0));
      long[] micros = new long[times];
      String unused = api.get(path);
      for (int i = 0; i < times; i++) {
        micros[i] = TimeUnit.NANOSECONDS.toMicros(api.time(path));
      }
      Arrays.sort(micros);
      millis.put(page, Percentiles.ofMicros(micros).p95());
    }
    return millis;
  }

  private void report(Store store, long rows) {
    store.values.forEach(
        (what, values) ->
            bench.add(
                Measurement.ROWS,
                what,
                values.unit(),
                rows,
                Spread.of(values.ofRounds()).median()));
  }
}
