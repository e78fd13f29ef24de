package io.millrace.torture.command;

import io.millrace.common.time.Clock;
import io.millrace.torture.nemesis.DatabaseWatch;
import io.millrace.torture.nemesis.FaultLog;
import io.millrace.torture.nemesis.MachineWatch;
import io.millrace.torture.process.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/** Threads that see what stands still by itself while a run lasts. */
final class StallWatches {
  /** Half of the time between two signs of life of a tracker. */
  private static final Duration STILL = Duration.ofMillis(500);

  /** As long as there is between two signs of life of a tracker. */
  private static final Duration SILENT = Duration.ofSeconds(1);

  private final Clock clock;
  private final FaultLog log;
  private final Consumer<String> teller;

  StallWatches(Clock clock, FaultLog log, Consumer<String> teller) {
    this.clock = clock;
    this.log = log;
    this.teller = teller;
  }

  /**
   * Looks after the machine until the run ends.
   *
   * @param directory on the disk that the databases are on
   */
  void startMachine(Path directory) {
    startDaemon(
        "torture-machine",
        () -> {
          try (MachineWatch machine =
              MachineWatch.open(directory.resolve("machine"), STILL, clock, log, teller)) {
            while (true) {
              machine.look();
            }
          }
        });
  }

  /** Looks after the servers of the database, if it has any. */
  void startDatabases(Cluster cluster) {
    if (cluster.embedded().isPresent()) {
      return;
    }
    int number = 1;
    for (String url : cluster.databaseUrls()) {
      DatabaseWatch watch =
          new DatabaseWatch(url, cluster.databaseUser(), number++, SILENT, clock, log, teller);
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

  /** What goes on until it is interrupted. */
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
