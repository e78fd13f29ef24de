package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.database.DatabaseKind;
import io.millrace.benchmarks.database.DatabaseWord;
import io.millrace.benchmarks.database.Databases;
import io.millrace.benchmarks.database.Directories;
import io.millrace.benchmarks.measure.WallClock;
import io.millrace.benchmarks.report.Measure;
import io.millrace.benchmarks.report.PairedRatio;
import io.millrace.benchmarks.report.Results;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Compares this version of Millrace with others: they take turns, round by round, so that a machine
 * that slows down slows all of them down. This version takes part twice; how much the two differ is
 * the noise of the run.
 */
@Command(
    name = "bench versions",
    description = "Compares this version of Millrace with others, in turn, in one run.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class Versions implements Callable<Integer> {
  private static final String THIS = "this version";
  private static final String AGAIN = "this version again";

  private static final List<Measure> MEASURES =
      List.of(
          Measure.SUBMIT_SINGLE,
          Measure.SUBMIT_BATCH,
          Measure.DRAIN,
          Measure.CPU_PER_1000,
          Measure.HEAP,
          Measure.STATEMENTS_PER_JOB,
          Measure.REDO_BYTES_PER_JOB);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "1..*",
      paramLabel = "DIR",
      description = "Other versions: directories in which scripts/bench --help was run.")
  private List<Path> others = List.of();

  @Option(
      names = "--db",
      split = ",",
      converter = DatabaseWord.class,
      defaultValue = "h2",
      description = "The databases: h2, mariadb or mysql (default: ${DEFAULT-VALUE}).")
  private List<DatabaseKind> databases = List.of();

  @Option(
      names = "--rounds",
      defaultValue = "12",
      description = "The rounds of each version that count (default: ${DEFAULT-VALUE}).")
  private int rounds = 12;

  @Option(
      names = "--warm-up",
      defaultValue = "3",
      description = "The rounds before them (default: ${DEFAULT-VALUE}).")
  private int warmUp = 3;

  @Option(
      names = "--jobs",
      defaultValue = "30000",
      description = "The jobs of a round (default: ${DEFAULT-VALUE}).")
  private int jobs = 30_000;

  @Option(
      names = "--profile",
      paramLabel = "DIR",
      description = "Directory for a flight recording of each process (default: none are made).")
  private @Nullable Path profiles;

  @Option(names = "--tiny", hidden = true, description = "Short rounds in small JVMs, for tests.")
  private boolean tiny;

  private final long begin = WallClock.nanoTime();

  private Versions() {}

  /** Runs the command and exits with 0 if no version failed. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** Returns the command line, ready to execute. */
  static CommandLine commandLine() {
    return new CommandLine(new Versions());
  }

  @Override
  public Integer call() throws IOException {
    List<Version> versions = versions();
    Results results = new Results();
    Path directory = Files.createTempDirectory("millrace-versions");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> Directories.deleteQuietly(directory)));
    try {
      for (DatabaseKind kind : databases) {
        measure(kind, versions, results, Files.createDirectories(directory.resolve(kind.word())));
      }
    } finally {
      Directories.delete(directory);
    }
    PrintWriter out = spec.commandLine().getOut();
    results
        .failures()
        .forEach(failure -> out.printf("FAILED: %s: %s%n", failure.contender(), failure.reason()));
    if (results.failures().isEmpty()) {
      databases.forEach(kind -> report(kind, versions, results, out));
    }
    out.flush();
    return results.failures().isEmpty() ? 0 : 1;
  }

  private List<Version> versions() {
    List<Version> versions = new ArrayList<>(List.of(Version.ofThis(THIS)));
    for (Path other : others) {
      try {
        versions.add(Version.in(other));
      } catch (IOException e) {
        throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
      }
    }
    versions.add(Version.ofThis(AGAIN));
    return versions;
  }

  private void measure(DatabaseKind kind, List<Version> versions, Results results, Path directory)
      throws IOException {
    Path recordings =
        profiles == null
            ? null
            : Files.createDirectories(profiles.resolve(kind.word()).toAbsolutePath());
    try (Databases started = kind.start(Files.createDirectories(directory.resolve("data")));
        DatabaseRun run =
            new DatabaseRun(
                tiny ? Plan.ofTest(true) : Plan.ofQuick(),
                kind,
                started,
                results,
                this::progress)) {
      run.runVersions(versions, warmUp, rounds, jobs, directory, recordings);
    }
  }

  /** Prints, for each measure, this version divided by each other, with what chance may add. */
  private static void report(
      DatabaseKind kind, List<Version> versions, Results results, PrintWriter out) {
    Version ours = versions.get(0);
    for (Measure measure : MEASURES) {
      List<Double> values = results.values(kind.word(), measure, ours.measured());
      for (Version other : versions.subList(1, versions.size())) {
        List<Double> theirs = results.values(kind.word(), measure, other.measured());
        if (!values.isEmpty() && values.size() == theirs.size()) {
          PairedRatio ratio = PairedRatio.of(values, theirs);
          out.printf(
              Locale.ROOT,
              "%-8s %-20s %-7s this version / %s: %.3f (95 of 100: %.3f to %.3f), %d rounds%n",
              kind.word(),
              measure.word(),
              measure.moreIsBetter() ? "higher" : "lower",
              other.name(),
              ratio.ratio(),
              ratio.low(),
              ratio.high(),
              values.size());
        }
      }
    }
  }

  private void progress(String line) {
    PrintWriter err = spec.commandLine().getErr();
    long seconds = Duration.ofNanos(WallClock.nanoTime() - begin).toSeconds();
    err.printf(Locale.ROOT, "bench %4d s  %s%n", seconds, line);
    err.flush();
  }
}
