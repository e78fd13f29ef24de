package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.store.TrackerStore;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTableName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tables {@code jt_tracker} and {@code jt_cluster}. */
final class JdbcTrackerStore implements TrackerStore {
  private static final int NUMBERS = 1024;
  private static final String SECRET = "secret";
  private static final String REQUIRED_LEVEL = "required_level";

  /** A level counts only beside the tracker that stated it. */
  private static final String SELECT =
      """
      SELECT number, tracker_id, address, lease_until,
        CASE WHEN level_of = tracker_id THEN feature_level ELSE 0 END AS stated_level
      FROM jt_tracker
      """;

  private final Database database;

  JdbcTrackerStore(Database database) {
    this.database = database;
  }

  /** Each time another tracker takes a number first, one number fewer remains to lose. */
  @Override
  public Tracker acquire(
      String trackerId, String address, int featureLevel, long now, long leaseUntil) {
    for (int lost = 0; lost < NUMBERS; lost++) {
      Map<Integer, Tracker> known =
          all().stream().collect(Collectors.toMap(Tracker::number, Function.identity()));
      int number = freeNumber(known, trackerId, now);
      Tracker next = new Tracker(number, trackerId, address, leaseUntil, featureLevel);
      Tracker previous = known.get(number);
      if (previous == null ? insert(next) : update(next, previous)) {
        return next;
      }
    }
    throw new StoreException(
        "other trackers took every tracker number that tracker " + trackerId + " asked for", null);
  }

  private static int freeNumber(Map<Integer, Tracker> known, String trackerId, long now) {
    long restedSince = now - REST.toMillis();
    for (int number = 0; number < NUMBERS; number++) {
      Tracker holder = known.get(number);
      if (holder == null || holder.leaseUntil() <= restedSince) {
        return number;
      }
    }
    return known.values().stream()
        .filter(holder -> holder.leaseUntil() <= now)
        .min(Comparator.comparingLong(Tracker::leaseUntil))
        .orElseThrow(
            () ->
                new StoreException(
                    "all %d tracker numbers are in use; there is none for tracker %s"
                        .formatted(NUMBERS, trackerId),
                    null))
        .number();
  }

  private boolean insert(Tracker tracker) {
    String what = "insert tracker " + tracker.number();
    String sql =
        """
        INSERT INTO jt_tracker (number, tracker_id, address, lease_until, feature_level, level_of)
        VALUES (:number, :trackerId, :address, :leaseUntil, :featureLevel, :trackerId)""";
    try {
      return database.win(
          what, () -> database.updateOne(what, sql, values(tracker)), () -> holds(tracker));
    } catch (DuplicateKeyException anotherTrackerWasFaster) {
      return false;
    }
  }

  /** Replaces the previous holder by the tracker, if the row is unchanged. */
  private boolean update(Tracker next, Tracker previous) {
    String what = "take tracker number " + next.number();
    String sql =
        """
        UPDATE jt_tracker
        SET tracker_id = :trackerId, address = :address, lease_until = :leaseUntil,
          feature_level = :featureLevel, level_of = :trackerId
        WHERE number = :number AND tracker_id = :previousId AND lease_until = :previousLease""";
    Map<String, Object> values = new HashMap<>(values(next));
    values.put("previousId", previous.trackerId());
    values.put("previousLease", previous.leaseUntil());
    return database.win(what, () -> database.updateOne(what, sql, values), () -> holds(next));
  }

  private static Map<String, ?> values(Tracker tracker) {
    return Map.of(
        "number", tracker.number(),
        "trackerId", tracker.trackerId(),
        "address", tracker.address(),
        "leaseUntil", tracker.leaseUntil(),
        "featureLevel", tracker.featureLevel());
  }

  /** Whether the tracker's row has the written values. */
  private boolean holds(Tracker tracker) {
    String what = "check that tracker " + tracker.number() + " was written";
    String sql =
        """
        SELECT lease_until FROM jt_tracker
        WHERE number = :number AND tracker_id = :trackerId FOR UPDATE""";
    return database
        .find(what, sql, values(tracker), Long.class)
        .filter(leaseUntil -> leaseUntil == tracker.leaseUntil())
        .isPresent();
  }

  @Override
  public void announce(int number, String trackerId, String address) {
    database.update(
        "announce tracker " + number,
        """
        UPDATE jt_tracker SET address = :address
        WHERE number = :number AND tracker_id = :trackerId""",
        Map.of("address", address, "number", number, "trackerId", trackerId));
  }

  /** Runs ahead of queued writes: without its lease a tracker cannot do any of them. */
  @Override
  public boolean renew(int number, String trackerId, long leaseUntil) {
    String what = "renew the lease of tracker " + number;
    String sql =
        """
        UPDATE jt_tracker SET lease_until = :leaseUntil
        WHERE number = :number AND tracker_id = :trackerId""";
    Map<String, ?> values =
        Map.of("leaseUntil", leaseUntil, "number", number, "trackerId", trackerId);
    return database.callUrgently(what, () -> database.updateOne(what, sql, values));
  }

  @Override
  public void retire(int number, String trackerId, long now) {
    database.update(
        "retire tracker number " + number,
        """
        UPDATE jt_tracker SET lease_until = :now
        WHERE number = :number AND tracker_id = :trackerId AND lease_until > :now""",
        Map.of("now", now, "number", number, "trackerId", trackerId));
  }

  @Override
  public void release(int number, String trackerId) {
    database.update(
        "release tracker number " + number,
        "DELETE FROM jt_tracker WHERE number = :number AND tracker_id = :trackerId",
        Map.of("number", number, "trackerId", trackerId));
  }

  @Override
  public List<Tracker> list(int aboveNumber, int limit) {
    return database.list(
        "list trackers",
        SELECT + "WHERE number > :above ORDER BY number LIMIT :limit",
        Map.of("above", aboveNumber, "limit", limit),
        JdbcTrackerStore::read);
  }

  /** Returns the trackers that are ready and whose lease has not expired. */
  List<Tracker> live(long now) {
    return holders(now).stream().filter(tracker -> !tracker.address().equals(STARTING)).toList();
  }

  @Override
  public List<Tracker> holders(long now) {
    return all().stream().filter(tracker -> tracker.leaseUntil() > now).toList();
  }

  private List<Tracker> all() {
    return database.list(
        "read trackers", SELECT + "ORDER BY number", Map.of(), JdbcTrackerStore::read);
  }

  @Override
  public String clusterSecret(String proposal) {
    return shared(SECRET)
        .orElseGet(() -> share(SECRET, proposal) ? proposal : shared(SECRET).orElseThrow());
  }

  @Override
  public FeatureLevel requiredLevel() {
    return shared(REQUIRED_LEVEL).map(FeatureLevel::parse).orElse(FeatureLevel.NONE);
  }

  /**
   * Each time another tracker writes the row first, it has raised the level or a person has changed
   * it; then the row is read again. The number of changed rows decides, so that a cluster of
   * databases aborts all but one of the writers.
   */
  @Override
  public void require(FeatureLevel level) {
    database.requireNoTransaction("raise the required feature level");
    boolean done = false;
    while (!done) {
      Optional<String> before = shared(REQUIRED_LEVEL);
      done =
          before.isEmpty()
              ? share(REQUIRED_LEVEL, level.text())
              : FeatureLevel.parse(before.get()).covers(level) || raise(before.get(), level);
    }
  }

  private boolean raise(String before, FeatureLevel level) {
    return database.updateOne(
        "raise the required feature level to " + level,
        "UPDATE jt_cluster SET content = :content WHERE name = :name AND content = :before",
        Map.of("name", REQUIRED_LEVEL, "content", level.text(), "before", before));
  }

  private Optional<String> shared(String name) {
    return database.find(
        "read the " + name + " of the trackers",
        "SELECT content FROM jt_cluster WHERE name = :name",
        Map.of("name", name),
        String.class);
  }

  /** Stores what all trackers share; returns false if there is such a row already. */
  private boolean share(String name, String content) {
    try {
      return database.updateOne(
          "store the " + name + " of the trackers",
          "INSERT INTO jt_cluster (name, content) VALUES (:name, :content)",
          Map.of("name", name, "content", content));
    } catch (DuplicateKeyException anotherTrackerWasFaster) {
      return false;
    }
  }

  @Override
  public long highestId() {
    String what = "find the highest id";
    return database.call(
        what,
        () ->
            Stream.concat(
                    Stream.of("jt_executing", "jt_batch", "jt_history", "jt_job", "jt_feedback"),
                    waitingTables(what))
                .map(table -> "SELECT COALESCE(MAX(id), 0) FROM " + table)
                .mapToLong(sql -> database.single(what, sql, Map.of(), Long.class))
                .max()
                .orElse(0));
  }

  private Stream<String> waitingTables(String what) {
    return database.list(what, "SELECT name FROM jt_node_group", Map.of(), String.class).stream()
        .map(nodeGroup -> WaitingTableName.of(nodeGroup).toString());
  }

  private static Tracker read(ResultSet row, int rowNumber) throws SQLException {
    return new Tracker(
        row.getInt("number"),
        row.getString("tracker_id"),
        row.getString("address"),
        row.getLong("lease_until"),
        row.getInt("stated_level"));
  }
}
