package io.millrace.torture.command;

import io.millrace.torture.database.DatabaseKind;
import io.millrace.torture.database.ServerProgramMissingException;
import io.millrace.torture.load.LoadPlan;
import io.millrace.torture.plant.Plant;
import io.millrace.torture.process.ClusterSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the torture run. */
@Command(
    name = "torture",
    description =
        "Starts a cluster of processes on this machine, injects faults again and again while"
            + " clients submit jobs, and checks whether anything was lost or ran twice. Exits with"
            + " 0 only if every promise was kept.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true)
public final class Torture implements Callable<Integer> {
  private static final int CLIENTS = 2;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--seconds",
      defaultValue = "60",
      description = "How long jobs are submitted and faults injected (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--seed",
      description = "Determines the load and the faults; default: random, and printed.")
  private @Nullable Long seed;

  @Option(
      names = "--load",
      defaultValue = "100",
      description =
          "How many jobs come, in percent of the usual number (default: ${DEFAULT-VALUE}). The usual"
              + " number is more than two processors run meanwhile; the rest must be run within ten"
              + " minutes, so a run of ten minutes needs less.")
  private int percent;

  @Option(
      names = "--db",
      defaultValue = "mariadb",
      description =
          "mariadb: a server that is started for the run; mysql: one that is started by the program"
              + " that MILLRACE_MYSQL names; galera: a cluster of three nodes that is started by"
              + " the program that MILLRACE_GALERA names; h2: files of one tracker (default:"
              + " ${DEFAULT-VALUE}).")
  private DatabaseKind database = DatabaseKind.MARIADB;

  @Option(names = "--trackers", description = "How many (default: 2; 1 with h2).")
  private @Nullable Integer trackers;

  @Option(
      names = "--workers",
      defaultValue = "3",
      description = "How many (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--tracker-lease",
      defaultValue = "3s",
      converter = Seconds.class,
      description =
          "How long a tracker counts as alive after its last sign of life (default:"
              + " ${DEFAULT-VALUE}; a tracker's own default is 10s).")
  private Duration trackerLease = Duration.ofSeconds(3);

  @Option(
      names = "--worker-lease",
      defaultValue = "4s",
      converter = Seconds.class,
      description =
          "How long an execution counts as alive after its worker's last pull (default:"
              + " ${DEFAULT-VALUE}; a tracker's own default is 15s).")
  private Duration workerLease = Duration.ofSeconds(4);

  @Option(
      names = "--plant",
      converter = PlantName.class,
      description =
          "Builds a defect into the trackers, which the run must find: claim-without-delete,"
              + " ack-before-commit, forget-steps, steps-by-task-id, replay-without-steps,"
              + " replay-twice, split-twice, count-parts-twice,"
              + " forget-part-ends, retry-stopped-parts, broadcast-to-few or rescue-without-lease.")
  private @Nullable Plant plant;

  @Option(
      names = "--calm",
      description = "Injects no faults: every failure is then one of the program.")
  private boolean calm;

  @Option(
      names = "--whole-start",
      description =
          "Starts one tracker after the other and does not stop them while they create their"
              + " tables.")
  private boolean wholeStart;

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description =
          "An empty or new directory for all logs, journals and tables, which are kept;"
              + " default: a temporary directory, kept only if a promise was broken.")
  private @Nullable Path keep;

  private Torture() {}

  /** Runs the command and exits with 0 only if every promise is kept. */
  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new Torture())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(arguments));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    long chosen = seed == null ? new Random().nextInt(1_000_000) : seed;
    Path directory = directory();
    TortureRun run = new TortureRun(settings(directory, chosen), calm, wholeStart);
    boolean clean;
    try {
      clean = run.run();
    } catch (ServerProgramMissingException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    if (clean && keep == null) {
      run.deleteFiles();
    } else {
      System.out.printf("seed %d; logs, journals and tables are in %s%n", chosen, directory);
    }
    System.out.println(run.lastLine());
    return clean ? 0 : 1;
  }

  private ClusterSettings settings(Path directory, long chosen) {
    int count = trackers == null ? (database == DatabaseKind.H2 ? 1 : 2) : trackers;
    try {
      return new ClusterSettings(
          directory,
          new LoadPlan(chosen, seconds, percent),
          database,
          count,
          workers,
          CLIENTS,
          trackerLease,
          workerLease,
          plant);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private Path directory() throws IOException {
    if (keep == null) {
      return Files.createTempDirectory("millrace-torture");
    }
    // The path must be absolute, because servers change their working directory.
    Path directory = Files.createDirectories(keep).toAbsolutePath();
    try (var files = Files.list(directory)) {
      if (files.findAny().isPresent()) {
        throw new ParameterException(spec.commandLine(), directory + " is not empty");
      }
    }
    return directory;
  }

  /** Parses durations, for example {@code 3s} and {@code 500ms}. */
  static final class Seconds implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
    }
  }

  /** Parses names, for example {@code claim-without-delete}. */
  static final class PlantName implements ITypeConverter<Plant> {
    @Override
    public Plant convert(String text) {
      try {
        return Plant.parse(text);
      } catch (IllegalArgumentException e) {
        throw new CommandLine.TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
