package io.millrace.benchmarks.pages;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONObject;
import io.millrace.benchmarks.database.DatabaseKind;
import io.millrace.benchmarks.database.DatabaseWord;
import io.millrace.benchmarks.database.Databases;
import io.millrace.benchmarks.database.Directories;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Measures each page of the API whose path needs at most a node group and a task id, with few rows
 * and with many: requests them in turn from two trackers with two databases.
 */
@Command(
    name = "bench pages",
    description =
        "Measures the pages for operators with few and with many rows that wait and that the"
            + " ledger has.",
    mixinStandardHelpOptions = true)
public final class PageCosts implements Callable<Integer> {
  private static final int WARM_UP = 30;
  private static final double NANOS_OF_MILLI = 1_000_000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--db",
      split = ",",
      converter = DatabaseWord.class,
      defaultValue = "h2,mariadb",
      description = "The databases (default: ${DEFAULT-VALUE}).")
  private List<DatabaseKind> databases = List.of();

  @Option(
      names = "--few",
      defaultValue = "1000",
      description = "The small number of rows (default: ${DEFAULT-VALUE}).")
  private int few = 1_000;

  @Option(
      names = "--rows",
      defaultValue = "1000000",
      description = "The large number of rows (default: ${DEFAULT-VALUE}).")
  private int many = 1_000_000;

  @Option(
      names = "--times",
      defaultValue = "101",
      description = "How often each page is measured (default: ${DEFAULT-VALUE}).")
  private int times = 101;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the results as JSON to this file.")
  private @Nullable Path json;

  private PageCosts() {}

  /** The cost of a page: medians in milliseconds. */
  private record Cost(String page, String db, double few, double many) {
    double ratio() {
      return many / few;
    }
  }

  /** Runs the command and exits with 0 if every page was answered. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** Returns the command line, ready to execute. */
  static CommandLine commandLine() {
    return new CommandLine(new PageCosts());
  }

  @Override
  public Integer call() throws Exception {
    List<Cost> costs = new ArrayList<>();
    for (DatabaseKind kind : databases) {
      Path directory = Files.createTempDirectory("millrace-pages");
      try (Databases started = kind.start(Files.createDirectories(directory.resolve("data")));
          FilledTracker small =
              FilledTracker.fill(started.fresh(), Rows.of(few), 1, this::progress);
          FilledTracker large =
              FilledTracker.fill(started.fresh(), Rows.of(many), 1, this::progress)) {
        for (String page : pages(small)) {
          costs.add(cost(page, kind, small, large));
        }
      } finally {
        Directories.deleteQuietly(directory);
      }
    }
    report(costs);
    return 0;
  }

  /**
   * Returns the pages that the OpenAPI document offers for GET, without event streams, which never
   * end, without other path parameters than node group and task id, and without the routes of an
   * identity provider, which these trackers do not have.
   */
  private static List<String> pages(FilledTracker tracker)
      throws IOException, InterruptedException {
    JSONObject paths = JSON.parseObject(tracker.get("/api/v1/openapi.json")).getJSONObject("paths");
    List<String> pages = new ArrayList<>();
    for (String path : paths.keySet()) {
      JSONObject get = paths.getJSONObject(path).getJSONObject("get");
      if (get == null || get.toString().contains("text/event-stream")) {
        continue;
      }
      String page = path.replace("{group}", FilledTracker.GROUP).replace("{task}", "daily-0");
      if (!page.contains("{") && !page.startsWith("/api/v1/session/provider")) {
        pages.add(page);
      }
    }
    return pages;
  }

  private Cost cost(String page, DatabaseKind kind, FilledTracker small, FilledTracker large)
      throws IOException, InterruptedException {
    long[] withFew = new long[times];
    long[] withMany = new long[times];
    for (int i = -Math.min(WARM_UP, times); i < times; i++) {
      long one = small.time(page);
      long other = large.time(page);
      if (i >= 0) {
        withFew[i] = one;
        withMany[i] = other;
      }
    }
    Cost cost = new Cost(page, kind.word(), median(withFew), median(withMany));
    progress(line(cost));
    return cost;
  }

  private static double median(long[] nanos) {
    Arrays.sort(nanos);
    return nanos[nanos.length / 2] / NANOS_OF_MILLI;
  }

  private static String line(Cost cost) {
    return String.format(
        Locale.ROOT,
        "%-8s %-48s %8.2f %8.2f %6.2f",
        cost.db(),
        cost.page(),
        cost.few(),
        cost.many(),
        cost.ratio());
  }

  private void report(List<Cost> costs) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%-8s %-48s %8s %8s %6s%n",
        "db",
        "page, ms with this number of rows waiting and in the ledger",
        few,
        many,
        "ratio");
    costs.forEach(cost -> out.println(line(cost)));
    out.flush();
    if (json != null) {
      List<JSONObject> measures =
          costs.stream()
              .map(
                  cost ->
                      JSONObject.of(
                          "measure", "page " + cost.page(),
                          "db", cost.db(),
                          "few_ms", cost.few(),
                          "many_ms", cost.many(),
                          "ratio", cost.ratio()))
              .toList();
      Path unused = Files.writeString(json, JSONObject.of("measures", measures) + "\n");
    }
  }

  private void progress(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("bench pages: " + line);
    err.flush();
  }
}
