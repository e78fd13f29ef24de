package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.database.DatabaseKind;
import io.millrace.benchmarks.database.DatabaseWord;
import io.millrace.benchmarks.database.Databases;
import io.millrace.benchmarks.database.Directories;
import io.millrace.benchmarks.measure.WallClock;
import io.millrace.benchmarks.report.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the measurements by size. */
@Command(
    name = "bench scale",
    description =
        "Measures how the system behaves with more rows, node groups, workers and trackers. No"
            + " process listens on other than loopback addresses. See docs/performance.md.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true)
public final class ScaleCosts implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--measure",
      split = ",",
      paramLabel = "WHAT",
      description =
          "What grows: rows, groups, workers, trackers, which needs a database server (default:"
              + " all that is possible).")
  private @Nullable List<Measurement> measures;

  @Option(
      names = "--db",
      split = ",",
      converter = DatabaseWord.class,
      defaultValue = "h2",
      paramLabel = "DATABASE",
      description =
          "The databases, one after the other: h2, mariadb or mysql, which is started by the"
              + " program that MILLRACE_MYSQL names (default: ${DEFAULT-VALUE}).")
  private List<DatabaseKind> databases = List.of();

  @Mixin private final ScaleOptions options = new ScaleOptions();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write the results as JSON to this file.")
  private @Nullable Path json;

  @Option(
      names = "--logs",
      paramLabel = "DIR",
      description = "Directory for the logs of the processes (default: none are written).")
  private @Nullable Path logs;

  private final long begin = WallClock.nanoTime();
  private final Figures figures = new Figures();

  private ScaleCosts() {}

  /** Runs the command and exits with 0 if everything could be measured. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** Returns the command line, ready to execute. */
  static CommandLine commandLine() {
    return new CommandLine(new ScaleCosts()).setCaseInsensitiveEnumValuesAllowed(true);
  }

  @Override
  public Integer call() throws Exception {
    ScalePlan plan = checkedPlan();
    List<String> setting = new ArrayList<>(List.of(Machine.line(), conditions(plan)));
    Path directory = Files.createTempDirectory("millrace-scale");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> Directories.deleteQuietly(directory)));
    try {
      for (DatabaseKind kind : databases) {
        setting.add("%s: %s".formatted(kind.word(), kind.description()));
        measure(plan, kind, directory.resolve(kind.word()));
      }
    } finally {
      Directories.deleteQuietly(directory);
    }
    setting.add("The run took %d s.".formatted(seconds()));
    PrintWriter out = spec.commandLine().getOut();
    ScaleReport.lines(figures, setting).forEach(out::println);
    out.flush();
    if (json != null) {
      Path unused = Files.writeString(json, ScaleReport.json(figures, setting) + "\n");
    }
    return figures.failures().isEmpty() ? 0 : 1;
  }

  private String conditions(ScalePlan plan) {
    return "Each process: java %s; a drain: %,d jobs, the median of %d after %d; workers: %d slots"
        .formatted(
            String.join(" ", plan.jvmOptions()),
            plan.jobs(),
            plan.rounds(),
            plan.warmUps(),
            ScalePlan.SLOTS);
  }

  private ScalePlan checkedPlan() {
    try {
      options.check(chosen());
    } catch (IllegalArgumentException e) {
      throw error(String.valueOf(e.getMessage()));
    }
    if (measures != null) {
      measures.forEach(this::requireDatabase);
    }
    return options.plan();
  }

  private void requireDatabase(Measurement measurement) {
    if (databases.stream().noneMatch(measurement::isPossibleOn)) {
      throw error(
          "--measure %s needs a database server, as by --db mariadb: a file of H2 is open to one process only"
              .formatted(measurement.word()));
    }
  }

  private List<Measurement> chosen() {
    return measures == null ? List.of(Measurement.values()) : measures;
  }

  private ParameterException error(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private void measure(ScalePlan plan, DatabaseKind kind, Path directory) throws Exception {
    Path files = Files.createDirectories(directory.resolve("data"));
    Path logFiles = Files.createDirectories(logs == null ? directory.resolve("logs") : logs);
    try (Databases started = kind.start(files)) {
      Bench bench = new Bench(plan, kind, started, files, logFiles, figures, this::progress);
      for (Measurement measurement : chosen()) {
        if (measurement.isPossibleOn(kind)) {
          measure(bench, measurement);
        } else {
          figures.note(
              "%s on %s: left out, because a file of H2 is open to one process only"
                  .formatted(measurement.word(), kind.word()));
        }
      }
    }
  }

  /** A measurement that fails does not keep the others from being made. */
  private void measure(Bench bench, Measurement measurement) throws Exception {
    try {
      switch (measurement) {
        case ROWS -> new RowsMeasure(bench, options.waiting(), options.ended()).run();
        case GROUPS -> new GroupsMeasure(bench, options.groups()).run();
        case WORKERS -> new WorkersMeasure(bench, options.workers()).run();
        case TRACKERS -> new TrackersMeasure(bench, options.trackers()).run();
      }
    } catch (RuntimeException | IOException | SQLException e) {
      bench.say("%s FAILED: %s", measurement.word(), e);
      e.printStackTrace(spec.commandLine().getErr());
      figures.failed(measurement, bench.kind(), String.valueOf(e.getMessage()));
    }
  }

  private long seconds() {
    return Duration.ofNanos(WallClock.nanoTime() - begin).toSeconds();
  }

  private void progress(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.printf(Locale.ROOT, "bench %4d s  %s%n", seconds(), line);
    err.flush();
  }
}
