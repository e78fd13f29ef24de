package io.millrace.torture.process;

import io.millrace.internal.config.Settings;
import io.millrace.internal.time.SystemClock;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.torture.journal.ReplayJournal;
import io.millrace.torture.node.Arguments;
import io.millrace.torture.node.EndOfRun;
import io.millrace.torture.plant.Plant;
import io.millrace.torture.plant.PlantedTracker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tracker that runs until it is asked to end. While the database is unreachable, it retries, as a
 * service manager would restart it; once it has lost its lease, its process ends.
 */
final class TrackerMain {
  /** The tracker's configuration file. */
  static final String CONFIG = "config";

  /** The built-in fault; empty for none. */
  static final String PLANT = "plant";

  /** The journal of the replays that are requested from it; empty if none are. */
  static final String REPLAYS = "replays";

  /** The file that is created when no more replays are to be requested. */
  static final String NO_MORE_REPLAYS = "no-more-replays";

  private static final Logger LOG = LoggerFactory.getLogger(TrackerMain.class);
  private static final long PAUSE_MILLIS = 500;

  private TrackerMain() {}

  public static void main(String[] words) throws InterruptedException {
    Arguments arguments = Arguments.of(words);
    boolean hasFailed;
    try (EndOfRun end = EndOfRun.watch()) {
      hasFailed = !serve(arguments, end);
    }
    System.exit(hasFailed ? 1 : 0);
  }

  /** Runs a tracker; returns whether it ended because it was asked to. */
  private static boolean serve(Arguments arguments, EndOfRun end) throws InterruptedException {
    JobTrackerConfig config = JobTrackerConfig.read(Settings.load(arguments.path(CONFIG)));
    Optional<JobTracker> opened = open(config, arguments.text(PLANT), end);
    if (opened.isEmpty()) {
      return true;
    }
    try (JobTracker tracker = opened.get()) {
      tracker.start();
      if (!arguments.text(REPLAYS).isEmpty()) {
        startReplays(tracker, arguments, end);
      }
      CompletableFuture.anyOf(end.asked(), tracker.terminated()).join();
      return true;
    } catch (CompletionException terminated) {
      LOG.error("the tracker stopped unexpectedly", terminated.getCause());
      return false;
    }
  }

  private static void startReplays(JobTracker tracker, Arguments arguments, EndOfRun end) {
    Path noMore = arguments.path(NO_MORE_REPLAYS);
    new ReplayOperator(
            tracker,
            ReplayJournal.open(arguments.path(REPLAYS), new SystemClock()),
            () -> end.asked().isDone() || tracker.terminated().isDone() || Files.exists(noMore))
        .start();
  }

  private static Optional<JobTracker> open(JobTrackerConfig config, String plant, EndOfRun end)
      throws InterruptedException {
    while (!end.asked().isDone()) {
      try {
        return Optional.of(
            plant.isEmpty()
                ? JobTracker.create(config)
                : PlantedTracker.create(config, Plant.parse(plant)));
      } catch (StoreException e) {
        LOG.warn("the database cannot be used yet: {}", e.toString());
        Thread.sleep(PAUSE_MILLIS);
      }
    }
    return Optional.empty();
  }
}
