package io.millrace.benchmarks.maps;

import io.millrace.benchmarks.database.DatabaseKind;
import io.millrace.benchmarks.database.DatabaseWord;
import io.millrace.benchmarks.database.Databases;
import io.millrace.benchmarks.database.Directories;
import io.millrace.benchmarks.measure.Percentiles;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Compares a run that is split into many parts with as many one-shots, in one process with a
 * tracker, a worker and a client: the rates, how late a lone job is meanwhile, the heap, and how
 * long a cancel takes.
 */
@Command(
    name = "bench maps",
    description = "Compares a run of many parts with as many jobs.",
    mixinStandardHelpOptions = true)
public final class MapCosts implements Callable<Integer> {
  private static final double MEBIBYTE = 1 << 20;
  private static final double NANOS_OF_MILLI = 1_000_000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--db",
      split = ",",
      converter = DatabaseWord.class,
      defaultValue = "h2",
      description = "The databases (default: ${DEFAULT-VALUE}).")
  private List<DatabaseKind> databases = List.of();

  @Option(
      names = "--parts",
      defaultValue = "100000",
      description = "The parts of a run, and the jobs beside it (default: ${DEFAULT-VALUE}).")
  private int parts = 100_000;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      description = "Rounds after a first one that is not counted (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--cancelled",
      defaultValue = "1000000",
      description = "The parts of the run that is cancelled (default: ${DEFAULT-VALUE}).")
  private int cancelled = 1_000_000;

  private MapCosts() {}

  /** Runs the command and exits with 0 if all parts and jobs ran. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new MapCosts()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    for (DatabaseKind kind : databases) {
      Path directory = Files.createTempDirectory("millrace-maps");
      try (Databases started = kind.start(Files.createDirectories(directory.resolve("data")));
          MappingTracker tracker = MappingTracker.over(started.fresh())) {
        measure(kind, tracker);
      } finally {
        Directories.deleteQuietly(directory);
      }
    }
    return 0;
  }

  private void measure(DatabaseKind kind, MappingTracker tracker) throws InterruptedException {
    List<Double> jobs = new ArrayList<>();
    List<Double> mapped = new ArrayList<>();
    for (int round = 0; round <= rounds; round++) {
      double ofJobs = tracker.drainJobs(parts);
      double ofParts = tracker.drainParts(parts);
      say(kind, "round %d: %,.0f jobs/s, %,.0f parts/s", round, ofJobs, ofParts);
      if (round > 0) {
        jobs.add(ofJobs);
        mapped.add(ofParts);
      }
    }
    double ratio = median(mapped) / median(jobs);
    say(kind, "%,.0f jobs/s, %,.0f parts/s: %.2f", median(jobs), median(mapped), ratio);
    Percentiles alone = tracker.latenessOfLoneJobs();
    Percentiles beside = tracker.latenessBesideParts(parts);
    say(
        kind,
        "lateness of a lone job, p50 and p99: %.1f and %.1f ms; beside the parts %.1f and %.1f ms",
        alone.p50(),
        alone.p99(),
        beside.p50(),
        beside.p99());
    double heap = tracker.heapOf(() -> run(tracker)) / MEBIBYTE;
    say(kind, "heap of all, after a collection: %.1f MiB more while the parts run", heap);
    double cancel = tracker.nanosOfCancel(cancelled) / NANOS_OF_MILLI;
    say(kind, "cancel of %,d parts: %.0f ms", cancelled, cancel);
  }

  private void run(MappingTracker tracker) throws InterruptedException {
    double unused = tracker.drainParts(parts);
  }

  private static double median(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private void say(DatabaseKind kind, String format, Object... values) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(kind.word() + ": " + String.format(Locale.ROOT, format, values));
    out.flush();
  }
}
