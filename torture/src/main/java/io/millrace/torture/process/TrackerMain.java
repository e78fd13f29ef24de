package io.millrace.torture.process;

import io.millrace.common.config.Settings;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.JobTrackerConfig;
import io.millrace.jobtracker.store.StoreException;
import io.millrace.torture.plant.Plant;
import io.millrace.torture.plant.PlantedTracker;
import java.io.IOException;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.h2.tools.Server;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tracker, which serves until its input ends. While the database cannot be reached it tries again
 * and again, as a service manager would have it do; once it has lost its lease, its process ends.
 */
final class TrackerMain {
  /** The tracker's configuration file. */
  static final String CONFIG = "config";

  /** Which fault is built in, or nothing. */
  static final String PLANT = "plant";

  /** Where an embedded database is shown to the oracle; 0 for nowhere. */
  static final String DATABASE_PORT = "database-port";

  private static final Logger LOG = LoggerFactory.getLogger(TrackerMain.class);
  private static final long PAUSE_MILLIS = 500;

  private TrackerMain() {}

  public static void main(String[] words) throws IOException, InterruptedException, SQLException {
    Arguments arguments = Arguments.of(words);
    if (arguments.integer(DATABASE_PORT) > 0) {
      Server.createTcpServer("-tcpPort", arguments.text(DATABASE_PORT), "-tcpDaemon").start();
    }
    JobTrackerConfig config = JobTrackerConfig.read(Settings.load(arguments.path(CONFIG)));
    CompletableFuture<Void> asked = endOfInput();
    try (JobTracker tracker = open(config, arguments.text(PLANT))) {
      tracker.start();
      CompletableFuture.anyOf(asked, tracker.terminated()).join();
    } catch (CompletionException terminated) {
      LOG.error("the tracker stopped by itself", terminated.getCause());
      System.exit(1);
    }
    System.exit(0);
  }

  private static CompletableFuture<Void> endOfInput() {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                ChildJvm.awaitEndOfInput();
              } catch (IOException e) {
                LOG.warn("input is broken", e);
              }
              boolean unused = ended.complete(null);
            },
            "torture-input");
    reader.setDaemon(true);
    reader.start();
    return ended;
  }

  private static JobTracker open(JobTrackerConfig config, String plant)
      throws InterruptedException {
    while (true) {
      try {
        return plant.isEmpty()
            ? JobTracker.create(config)
            : PlantedTracker.create(config, Plant.parse(plant));
      } catch (StoreException e) {
        LOG.warn("the database cannot be reached yet: {}", e.toString());
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }
}
