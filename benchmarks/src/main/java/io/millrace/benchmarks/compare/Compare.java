package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.database.DatabaseKind;
import io.millrace.benchmarks.database.DatabaseWord;
import io.millrace.benchmarks.database.Databases;
import io.millrace.benchmarks.database.Directories;
import io.millrace.benchmarks.measure.WallClock;
import io.millrace.benchmarks.report.JsonReport;
import io.millrace.benchmarks.report.Results;
import io.millrace.benchmarks.report.TextReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The command line of the comparison. */
@Command(
    name = "bench",
    description =
        "Compares Millrace with other schedulers, and with the bare statements of its own"
            + " rows, over the same database in one run. No process listens on other than loopback"
            + " addresses. See docs/performance.md.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    footer = {"", "scripts/bench micro: the benchmarks of single components, by JMH."})
public final class Compare implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--db",
      split = ",",
      converter = DatabaseWord.class,
      defaultValue = "h2,mariadb",
      paramLabel = "DATABASE",
      description =
          "The databases, one after the other: h2, mariadb or mysql, which is started by the"
              + " program that MILLRACE_MYSQL names (default: ${DEFAULT-VALUE}).")
  private List<DatabaseKind> databases = List.of();

  @Option(
      names = "--quick",
      description =
          "Drain, batch submit and lateness only: a quarter of an hour for two databases.")
  private boolean quick;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description =
          "Write the results as JSON to this file, in addition to the table on the output.")
  private @Nullable Path json;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "CONTENDER",
      converter = ContenderWord.class,
      description =
          "The contenders: millrace, millrace-one, db-scheduler-fetch, db-scheduler-lock, quartz,"
              + " jobrunr, ceiling (default: all).")
  private @Nullable List<ContenderKind> only;

  @Option(
      names = "--measure",
      split = ",",
      paramLabel = "WHAT",
      converter = ChapterWord.class,
      description =
          "What to measure besides submit and drain: lateness, rates, half-load (which needs"
              + " the rates), burst, beside, daily, seconds, wire (default: all).")
  private @Nullable List<Chapter> measures;

  @Option(
      names = "--logs",
      paramLabel = "DIR",
      description = "Directory for the logs of the processes (default: none are written).")
  private @Nullable Path logs;

  @Option(
      names = "--profile",
      paramLabel = "DIR",
      description =
          "Directory for a recording of the JDK Flight Recorder of each process, in a"
              + " subdirectory for each database (default: none are made).")
  private @Nullable Path profiles;

  @Option(names = "--tiny", hidden = true, description = "A few dozen jobs, for tests.")
  private boolean tiny;

  private final long begin = WallClock.nanoTime();

  private Compare() {}

  /** Runs the command and exits with 0 if no contender failed. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** Returns the command line, ready to execute. */
  static CommandLine commandLine() {
    return new CommandLine(new Compare());
  }

  @Override
  public Integer call() throws IOException {
    Plan plan = tiny ? Plan.ofTest(quick) : quick ? Plan.ofQuick() : Plan.ofFull();
    Results results = new Results();
    List<String> setting = new ArrayList<>(Setting.lines(plan));
    Path directory = Files.createTempDirectory("millrace-bench");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> Directories.deleteQuietly(directory)));
    try {
      for (DatabaseKind database : databases) {
        setting.add("%s: %s".formatted(database.word(), database.description()));
        compare(plan, database, results, directory.resolve(database.word()));
      }
    } finally {
      Directories.delete(directory);
    }
    setting.add("The run took %d s.".formatted(seconds()));
    PrintWriter out = spec.commandLine().getOut();
    TextReport.of(results, setting).forEach(out::println);
    out.flush();
    if (json != null) {
      Path unused = Files.writeString(json, JsonReport.of(results, setting) + "\n");
    }
    return results.failures().isEmpty() ? 0 : 1;
  }

  private void compare(Plan plan, DatabaseKind kind, Results results, Path directory)
      throws IOException {
    Path logDirectory = Files.createDirectories(logs == null ? directory.resolve("logs") : logs);
    Path files = Files.createDirectories(directory.resolve("data"));
    Set<ContenderKind> taking =
        plan.quick() ? ContenderKind.quicklyOn(kind) : ContenderKind.on(kind);
    if (only != null) {
      taking.retainAll(only);
    }
    progress("%s: starting %s".formatted(kind.word(), taking));
    try (Databases started = kind.start(files);
        DatabaseRun run = new DatabaseRun(plan, kind, started, results, this::progress)) {
      Set<Chapter> chapters = measures == null ? Chapter.all() : EnumSet.copyOf(measures);
      run.run(taking, chapters, logDirectory, profileDirectory(kind));
    }
  }

  private @Nullable Path profileDirectory(DatabaseKind kind) throws IOException {
    return profiles == null
        ? null
        : Files.createDirectories(profiles.resolve(kind.word()).toAbsolutePath());
  }

  private long seconds() {
    return Duration.ofNanos(WallClock.nanoTime() - begin).toSeconds();
  }

  private void progress(String line) {
    PrintWriter err = spec.commandLine().getErr();
    err.printf(Locale.ROOT, "bench %4d s  %s%n", seconds(), line);
    err.flush();
  }

  /** Parses names, for example {@code half-load}. */
  static final class ChapterWord implements ITypeConverter<Chapter> {
    @Override
    public Chapter convert(String word) {
      return Chapter.all().stream()
          .filter(chapter -> chapter.word().equals(word))
          .findFirst()
          .orElseThrow(() -> new TypeConversionException("there is no measurement '" + word + "'"));
    }
  }

  /** Parses names, for example {@code db-scheduler-lock}. */
  static final class ContenderWord implements ITypeConverter<ContenderKind> {
    @Override
    public ContenderKind convert(String word) {
      for (ContenderKind kind : ContenderKind.values()) {
        if (kind.word().equals(word)) {
          return kind;
        }
      }
      throw new TypeConversionException("there is no contender '" + word + "'");
    }
  }
}
