package io.millrace.benchmarks.pages;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.millrace.benchmarks.database.DatabaseKind;
import io.millrace.benchmarks.database.DatabaseWord;
import io.millrace.benchmarks.database.Databases;
import io.millrace.benchmarks.database.Directories;
import io.millrace.benchmarks.measure.Percentiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures the console in a browser over many rows: when each page shows its data, at the first
 * visit of a browser, which loads the files of the console, and at a later one, and how long each
 * request takes; then, if asked, the heap while tabs stay open.
 */
@Command(
    name = "bench console",
    description = "Measures the pages of the console in a browser, over many rows.",
    mixinStandardHelpOptions = true)
public final class ConsoleTimes implements Callable<Integer> {
  private static final double MEBIBYTE = 1 << 20;
  private static final double MICROS_OF_MILLI = 1_000;
  private static final int SLOWEST_REQUESTS = 12;
  private static final int WARM_UP = 3;
  private static final List<String> TABS =
      List.of("/", "/running", "/jobs", "/history", "/timeline");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--db",
      split = ",",
      converter = DatabaseWord.class,
      defaultValue = "h2",
      description = "The databases (default: ${DEFAULT-VALUE}).")
  private List<DatabaseKind> databases = List.of();

  @Option(
      names = "--jobs",
      defaultValue = "10000",
      description = "Recurring jobs (default: ${DEFAULT-VALUE}).")
  private int jobs = 10_000;

  @Option(
      names = "--waiting",
      defaultValue = "1000000",
      description = "Jobs that wait (default: ${DEFAULT-VALUE}).")
  private int waiting = 1_000_000;

  @Option(
      names = "--ended",
      defaultValue = "5000000",
      description = "Rows of the ledger (default: ${DEFAULT-VALUE}).")
  private int ended = 5_000_000;

  @Option(
      names = "--groups",
      defaultValue = "20",
      description = "Node groups (default: ${DEFAULT-VALUE}).")
  private int groups = 20;

  @Option(
      names = "--per-second",
      defaultValue = "20",
      description = "Jobs that run each second meanwhile (default: ${DEFAULT-VALUE}).")
  private int perSecond = 20;

  @Option(
      names = "--visits",
      defaultValue = "11",
      description = "First and later visits of each page (default: ${DEFAULT-VALUE}).")
  private int visits = 11;

  @Option(
      names = "--minutes",
      defaultValue = "0",
      description = "Minutes for which five tabs stay open afterwards (default: ${DEFAULT-VALUE}).")
  private int minutes;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the results as JSON to this file.")
  private @Nullable Path json;

  private final JSONArray measures = new JSONArray();

  private ConsoleTimes() {}

  /** Runs the command and exits with 0 if every page showed its data. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** Returns the command line, ready to execute. */
  static CommandLine commandLine() {
    return new CommandLine(new ConsoleTimes());
  }

  @Override
  public Integer call() throws Exception {
    if (!MeasuredBrowser.isInstalled()) {
      throw new ParameterException(
          spec.commandLine(),
          "bench console needs Chromium and its driver in /usr/bin: Debian's packages chromium and"
              + " chromium-driver");
    }
    for (DatabaseKind kind : databases) {
      Path directory = Files.createTempDirectory("millrace-console");
      try (Databases started = kind.start(Files.createDirectories(directory.resolve("data")));
          FilledTracker tracker =
              FilledTracker.fill(
                  started.fresh(), new Rows(jobs, waiting, ended), groups, this::progress)) {
        tracker.recurEverySecond(perSecond);
        try (MeasuredBrowser browser = MeasuredBrowser.signedIn(tracker.url(), tracker.token())) {
          measurePages(kind, browser, pages(tracker));
          measureHeap(kind, browser);
        }
      } finally {
        Directories.deleteQuietly(directory);
      }
    }
    if (json != null) {
      Path unused = Files.writeString(json, JSONObject.of("measures", measures) + "\n");
    }
    return 0;
  }

  /** The addresses of the console's pages, each with rows to show. */
  private static List<String> pages(FilledTracker tracker)
      throws IOException, InterruptedException {
    String execution = first(tracker, "/api/v1/history?limit=1", "id");
    String dead = first(tracker, "/api/v1/dead?limit=1", "id");
    String worker = first(tracker, "/api/v1/workers?limit=1", "id");
    String group = FilledTracker.GROUP;
    return List.of(
        "/",
        "/late",
        "/running",
        "/batches",
        "/waiting",
        "/waiting?group=" + group,
        "/upcoming",
        "/jobs",
        "/jobs?group=" + group,
        "/jobs/%s/daily-0".formatted(group),
        "/jobs/%s/daily-0/edit".formatted(group),
        "/submit",
        "/executions/" + execution,
        "/history",
        "/history?group=" + group,
        "/timeline",
        "/timeline?group=" + group,
        "/week",
        "/dead",
        "/dead/" + dead,
        "/groups",
        "/workers",
        "/workers/%s?group=%s".formatted(worker, group),
        "/audit",
        "/tokens");
  }

  /** A field of the first entry of a list. */
  private static String first(FilledTracker tracker, String path, String field)
      throws IOException, InterruptedException {
    JSONArray items = JSON.parseObject(tracker.get(path)).getJSONArray("items");
    return String.valueOf(items.getJSONObject(0).get(field));
  }

  /** The pages in turn, round by round: what is warm, or busy, is so for each of them. */
  private void measurePages(DatabaseKind kind, MeasuredBrowser browser, List<String> pages) {
    for (int round = 0; round < WARM_UP; round++) {
      pages.forEach(browser::visitFirst);
    }
    Map<String, List<Double>> shown = new LinkedHashMap<>();
    Map<String, List<Double>> settled = new LinkedHashMap<>();
    Map<String, List<Double>> requests = new LinkedHashMap<>();
    for (int round = 0; round < visits; round++) {
      for (String page : pages) {
        for (boolean isFirst : List.of(true, false)) {
          MeasuredBrowser.Visit visit = isFirst ? browser.visitFirst(page) : browser.visit(page);
          String what = (isFirst ? "first " : "later ") + page;
          add(shown, what, visit.shown());
          add(settled, what, visit.settled());
          visit.requests().forEach(each -> add(requests, withoutIds(each.path()), each.millis()));
        }
      }
    }
    printHeading("visit and page, its data shown after ms");
    shown.forEach((what, millis) -> print(kind, "shown, " + what, millis));
    printHeading("visit and page, nothing changes after ms");
    settled.forEach((what, millis) -> print(kind, "settled, " + what, millis));
    printHeading("request, ms");
    print(kind, "all requests", requests.values().stream().flatMap(List::stream).toList());
    requests.entrySet().stream()
        .sorted(Comparator.comparing(entry -> -percentiles(entry.getValue()).p95()))
        .limit(SLOWEST_REQUESTS)
        .forEach(entry -> print(kind, entry.getKey(), entry.getValue()));
  }

  private static void add(Map<String, List<Double>> values, String what, double value) {
    values.computeIfAbsent(what, unknown -> new ArrayList<>()).add(value);
  }

  private void printHeading(String what) {
    spec.commandLine()
        .getOut()
        .printf(Locale.ROOT, "%-8s %-60s %8s %8s %8s%n", "db", what, "p50", "p95", "max");
  }

  /** So that the requests of one kind are counted together. */
  private static String withoutIds(String path) {
    return URLDecoder.decode(path, StandardCharsets.UTF_8)
        .replaceAll("[0-9]{6,}", "N")
        .replaceAll("[0-9-]+T[0-9:.]+Z", "T");
  }

  /** Notes the heap that is in use after a collection, each minute. */
  private void measureHeap(DatabaseKind kind, MeasuredBrowser browser) throws InterruptedException {
    if (minutes == 0) {
      return;
    }
    TABS.forEach(browser::openTab);
    for (int minute = 0; minute <= minutes; minute++) {
      System.gc();
      double used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MEBIBYTE;
      spec.commandLine()
          .getOut()
          .printf(Locale.ROOT, "%-8s heap after %d minutes: %.1f MiB%n", kind.word(), minute, used);
      spec.commandLine().getOut().flush();
      measures.add(
          JSONObject.of("measure", "heap", "db", kind.word(), "minute", minute, "mebibytes", used));
      if (minute < minutes) {
        TimeUnit.MINUTES.sleep(1);
      }
    }
  }

  private void print(DatabaseKind kind, String what, List<Double> millis) {
    Percentiles times = percentiles(millis);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%-8s %-60s %8.1f %8.1f %8.1f%n",
        kind.word(),
        what,
        times.p50(),
        times.p95(),
        times.max());
    out.flush();
    measures.add(
        JSONObject.of(
            "measure", what,
            "db", kind.word(),
            "p50_ms", times.p50(),
            "p95_ms", times.p95(),
            "max_ms", times.max()));
  }

  private static Percentiles percentiles(List<Double> millis) {
    return Percentiles.ofMicros(
        millis.stream().mapToLong(each -> Math.round(each * MICROS_OF_MILLI)).sorted().toArray());
  }

  private void progress(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("bench console: " + line);
    err.flush();
  }
}
