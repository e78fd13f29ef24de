package io.millrace.torture.command;

import io.millrace.internal.time.Clock;
import io.millrace.torture.nemesis.DatabaseWatch;
import io.millrace.torture.nemesis.FaultLog;
import io.millrace.torture.nemesis.MachineWatch;
import io.millrace.torture.process.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/** Threads that detect stalls not caused by the run. */
final class StallWatches {
  /** The shortest stall of the machine: half of a tracker's heartbeat interval. */
  private static final Duration STILL = Duration.ofMillis(500);

  /** The shortest stall of a database: a tracker's heartbeat interval. */
  private static final Duration SILENT = Duration.ofSeconds(1);

  private final Clock clock;
  private final FaultLog log;
  private final Consumer<String> reporter;

  StallWatches(Clock clock, FaultLog log, Consumer<String> reporter) {
    this.clock = clock;
    this.log = log;
    this.reporter = reporter;
  }

  /**
   * Watches the machine until the run ends.
   *
   * @param directory a directory on the disk of the databases
   */
  void startMachine(Path directory) {
    startDaemon(
        "torture-machine",
        () -> {
          try (MachineWatch machine =
              MachineWatch.open(directory.resolve("machine"), STILL, clock, log, reporter)) {
            while (true) {
              machine.look();
            }
          }
        });
  }

  /** Watches the database servers, if there are any. */
  void startDatabases(Cluster cluster) {
    if (cluster.embedded().isPresent()) {
      return;
    }
    int number = 1;
    for (String url : cluster.databaseUrls()) {
      DatabaseWatch watch =
          new DatabaseWatch(url, cluster.databaseUser(), number++, SILENT, clock, log, reporter);
      startDaemon(
          "torture-database",
          () -> {
            try (watch) {
              while (true) {
                watch.look();
              }
            }
          });
    }
  }

  /** A task that runs until it is interrupted. */
  private interface Endless {
    void run() throws InterruptedException;
  }

  private static void startDaemon(String name, Endless endless) {
    Thread thread =
        new Thread(
            () -> {
              try {
                endless.run();
              } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }
}
