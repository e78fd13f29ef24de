package io.millrace.torture.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.flywaydb.core.Flyway;

/**
 * What happens at the first start of the trackers: some runs begin with the tables of an older
 * version, and some trackers are killed while they migrate the tables.
 *
 * @param olderVersion the last migration already applied; 0 for an empty database
 * @param kills the kills, in order
 * @param together whether all trackers are started at once, or each after the previous one listens
 */
public record FirstStart(int olderVersion, List<Kill> kills, boolean together) {
  private static final int MOST_KILLS = 3;
  private static final int NEWEST_OLDER_VERSION = 8;
  private static final int WITHIN_MILLIS = 800;
  private static final int OLDER_IN = 3;
  private static final long PATIENCE_MILLIS = 10_000;
  private static final long PROBE_MILLIS = 5;

  /** The URL options with which a tracker opens its file. */
  private static final String AS_A_TRACKER = ";WRITE_DELAY=0;MAX_COMPACT_TIME=0";

  /** Matches what a tracker or its Flyway logs when it starts a migration. */
  private static final Pattern MIGRATING = Pattern.compile("Migrating schema|: applying V");

  /**
   * Kills a tracker and restarts it immediately.
   *
   * @param tracker the number of the tracker, from 1
   * @param afterMillis the time after the start of the migration
   */
  public record Kill(int tracker, int afterMillis) {}

  public FirstStart {
    kills = List.copyOf(kills);
  }

  /** Returns a start on an empty database without kills. */
  public static FirstStart undisturbed() {
    return new FirstStart(0, List.of(), true);
  }

  /** Returns a start on an empty database, one tracker after the other. */
  public static FirstStart inTurn() {
    return new FirstStart(0, List.of(), false);
  }

  /** Returns the start that this seed determines; equal seeds give equal starts. */
  public static FirstStart of(long seed, int trackers) {
    Random random = new Random(seed ^ FirstStart.class.getSimpleName().hashCode());
    int older = random.nextInt(OLDER_IN) == 0 ? 1 + random.nextInt(NEWEST_OLDER_VERSION) : 0;
    List<Kill> kills = new ArrayList<>();
    for (int left = 1 + random.nextInt(MOST_KILLS); left > 0; left--) {
      kills.add(new Kill(1 + random.nextInt(trackers), random.nextInt(WITHIN_MILLIS)));
    }
    return new FirstStart(older, kills, true);
  }

  /** Applies the first migrations, as a tracker of an older version would have. */
  void makeOlderTables(List<String> urls, String user, Consumer<String> reporter) {
    if (olderVersion == 0) {
      return;
    }
    String url = urls.get(0);
    boolean isEmbedded = url.startsWith("jdbc:h2:");
    String folder = isEmbedded ? "h2" : "mysql";
    var unused =
        Flyway.configure()
            .dataSource(isEmbedded ? url + AS_A_TRACKER : url, user, "")
            .locations("classpath:schema/" + folder + "/migration")
            .table("jt_schema_history")
            .baselineOnMigrate(true)
            .baselineVersion("0")
            .target(String.valueOf(olderVersion))
            .load()
            .migrate();
    reporter.accept("the tables have been created up to migration " + olderVersion);
  }

  /** Starts the trackers and performs the kills. */
  void start(List<TrackerNode> trackers, Consumer<String> reporter) {
    for (TrackerNode tracker : trackers) {
      tracker.process().start();
      if (!together) {
        TrackerLauncher.awaitListening(tracker);
      }
    }
    for (Kill kill : kills) {
      TrackerNode tracker = trackers.get(kill.tracker() - 1);
      boolean migrates = awaitMigrating(tracker);
      pause(kill.afterMillis());
      tracker.process().kill();
      reporter.accept(
          "KILL %s %d ms after it %s"
              .formatted(
                  tracker.process().name(),
                  kill.afterMillis(),
                  migrates ? "began to migrate" : "had nothing to migrate"));
      tracker.process().start();
    }
  }

  /**
   * Waits until the tracker migrates; returns false if it has nothing to migrate because another
   * tracker created the tables.
   */
  private static boolean awaitMigrating(TrackerNode tracker) {
    int before = migrations(tracker);
    for (long left = PATIENCE_MILLIS; left > 0; left -= PROBE_MILLIS) {
      if (migrations(tracker) > before) {
        return true;
      }
      if (TrackerLauncher.isListening(tracker)) {
        return false;
      }
      pause(PROBE_MILLIS);
    }
    return false;
  }

  private static int migrations(TrackerNode tracker) {
    try {
      return Files.exists(tracker.log())
          ? (int)
              MIGRATING
                  .matcher(Files.readString(tracker.log(), StandardCharsets.ISO_8859_1))
                  .results()
                  .count()
          : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the cluster starts", e);
    }
  }
}
