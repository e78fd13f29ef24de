package io.millrace.jobtracker.store.jdbc;

import io.millrace.internal.protocol.ExecutionProgress;
import io.millrace.jobtracker.store.console.WorkerStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.DirectedSql;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import io.millrace.jobtracker.store.order.Direction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The table {@code jt_worker}. */
final class JdbcWorkerStore implements WorkerStore {
  private static final int ADDRESS_CHARS = 255;
  private static final List<String> KEY = List.of("worker_id", "node_group");
  private static final RowColumns<Worker> COLUMNS =
      RowColumns.<Worker>of()
          .text("worker_id", Worker::workerId)
          .text("node_group", Worker::nodeGroup)
          .number("process", Worker::process)
          .number("tracker", Worker::tracker)
          .text("address", ADDRESS_CHARS, Worker::address)
          .text("software", Worker::software)
          .number("slots", Worker::slots)
          .number("begun", Worker::begun)
          .number("held", Worker::held)
          .text("held_ids", JdbcWorkerStore::heldIds)
          .number("connected_at", Worker::connectedAt)
          .number("last_pull_at", Worker::lastPullAt)
          .number("disconnected_at", Worker::disconnectedAt)
          .json(
              "progress",
              worker -> worker.progress().isEmpty() ? null : new Progress(worker.progress()))
          .text("features", worker -> joined(worker.features()))
          .text("labels", worker -> joined(worker.labels()));
  private static final String SELECT = "SELECT " + COLUMNS.list() + ", draining FROM jt_worker ";

  /** The first assignment, because it reads the process that was stored before. */
  private static final String KEEPS_DRAINING =
      "draining = CASE WHEN existing.process = given.process THEN existing.draining ELSE FALSE END";

  /** The progress of the executions of a worker, as it is stored. */
  record Progress(List<ExecutionProgress> executions) {}

  private final Database database;
  private final RowInsert<Worker> upsert;

  JdbcWorkerStore(Database database) {
    this.database = database;
    List<String> sets =
        Stream.concat(Stream.of(KEEPS_DRAINING), COLUMNS.setsBut(KEY).stream()).toList();
    this.upsert = RowInsert.upsert(database.dialect(), "jt_worker", COLUMNS, KEY, sets);
  }

  /** Writes in order of key, so that trackers that write the same rows do not deadlock. */
  @Override
  public void put(List<Worker> workers) {
    if (workers.isEmpty()) {
      return;
    }
    List<Worker> ordered =
        workers.stream()
            .sorted(Comparator.comparing(Worker::workerId).thenComparing(Worker::nodeGroup))
            .toList();
    database.insert("write " + workers.size() + " workers", upsert, ordered);
  }

  @Override
  public List<Worker> list(
      Search search, Direction direction, @Nullable WorkerKey behind, int limit) {
    Map<String, Object> values = new HashMap<>(Map.of("limit", limit));
    String filter = filter(search, values);
    String sql =
        search.nodeGroup() == null
            ? SELECT
                + "WHERE 1 = 1"
                + behind(behind, values)
                + filter
                + " ORDER BY worker_id ${direction}, node_group ${direction} LIMIT :limit"
            : SELECT
                + "WHERE 1 = 1"
                + filter
                + behindInGroup(behind, values)
                + " ORDER BY node_group ${direction}, worker_id ${direction} LIMIT :limit";
    return database.list(
        "list workers", DirectedSql.of(sql, direction), values, JdbcWorkerStore::read);
  }

  /** The first condition uses the index; the second removes few rows. */
  private static String behind(@Nullable WorkerKey behind, Map<String, Object> values) {
    if (behind == null) {
      return "";
    }
    values.put("workerId", behind.workerId());
    values.put("behindGroup", behind.nodeGroup());
    return " AND worker_id ${beyond}= :workerId"
        + " AND (worker_id ${beyond} :workerId OR node_group ${beyond} :behindGroup)";
  }

  private static String behindInGroup(@Nullable WorkerKey behind, Map<String, Object> values) {
    if (behind == null) {
      return "";
    }
    values.put("workerId", behind.workerId());
    return " AND worker_id ${beyond} :workerId";
  }

  /** Each condition begins with AND. */
  private static String filter(Search search, Map<String, Object> values) {
    StringBuilder filter = new StringBuilder();
    if (search.nodeGroup() != null) {
      values.put("nodeGroup", search.nodeGroup());
      filter.append(" AND node_group = :nodeGroup");
    }
    if (search.contained() != null) {
      values.put("contained", search.contained().toLowerCase(Locale.ROOT));
      filter.append(" AND LOCATE(:contained, LOWER(worker_id)) > 0");
    }
    return filter.toString();
  }

  /** Sorts keys, and then reads the rows of one page: what workers say of their work is long. */
  @Override
  public Optional<Ranked> rank(
      Search search, Rank rank, @Nullable RankPlace behind, int limit, int most) {
    Map<String, Object> values = new HashMap<>();
    String filter = filter(search, values);
    return database.call(
        "sort workers",
        () -> {
          if (count(filter, values, most) > most) {
            return Optional.empty();
          }
          List<RankPlace> places = places(rank, filter, behind, values, limit);
          Map<WorkerKey, Worker> byKey = byKey(places);
          List<Worker> workers =
              places.stream()
                  .map(place -> byKey.get(place.key()))
                  .filter(Objects::nonNull)
                  .toList();
          return Optional.of(
              new Ranked(workers, places.size() < limit ? null : places.get(limit - 1)));
        });
  }

  private int count(String filter, Map<String, Object> values, int most) {
    String sql =
        "SELECT COUNT(*) FROM (SELECT worker_id FROM jt_worker WHERE 1 = 1%s LIMIT :most) AS found"
            .formatted(filter);
    return database.sql(sql).params(values).param("most", most + 1).query(Integer.class).single();
  }

  private List<RankPlace> places(
      Rank rank, String filter, @Nullable RankPlace behind, Map<String, Object> values, int limit) {
    Map<String, Object> all = new HashMap<>(values);
    all.put("limit", limit);
    String rest = "";
    if (behind != null) {
      all.put("value", behind.value());
      rest =
          " WHERE rank_value < :value OR (rank_value = :value"
              + DirectedSql.of(behind(behind.key(), all), Direction.ASCENDING)
              + ")";
    }
    String sql =
        """
        SELECT worker_id, node_group, rank_value FROM (
          SELECT worker_id, node_group, %s AS rank_value FROM jt_worker WHERE 1 = 1%s) AS ranked%s
        ORDER BY rank_value DESC, worker_id, node_group LIMIT :limit"""
            .formatted(valueOf(rank), filter, rest);
    return database
        .sql(sql)
        .params(all)
        .query(
            (row, number) ->
                new RankPlace(
                    row.getLong("rank_value"),
                    new WorkerKey(row.getString("worker_id"), row.getString("node_group"))))
        .list();
  }

  /** An expression for the value by which workers are sorted, the greatest first. */
  private static String valueOf(Rank rank) {
    String ofSlots = "CASE WHEN slots IS NULL OR begun IS NULL THEN -1 ELSE %s END";
    return switch (rank) {
      case USED_SLOTS -> ofSlots.formatted("LEAST(slots, begun)");
      case FREE_SLOTS -> ofSlots.formatted("slots - LEAST(slots, begun)");
      case LONGEST_SILENT -> "-last_pull_at";
    };
  }

  private Map<WorkerKey, Worker> byKey(List<RankPlace> places) {
    return database
        .listByIds(
            "read " + places.size() + " workers",
            SELECT + "WHERE worker_id IN (:ids)",
            places.stream().map(place -> place.key().workerId()).distinct().toList(),
            Map.of(),
            JdbcWorkerStore::read)
        .stream()
        .collect(Collectors.toMap(Worker::key, Function.identity(), (one, other) -> one));
  }

  @Override
  public List<Worker> find(String workerId, int limit) {
    return database.list(
        "find worker " + workerId,
        SELECT + "WHERE worker_id = :workerId ORDER BY worker_id, node_group LIMIT :limit",
        Map.of("workerId", workerId, "limit", limit),
        JdbcWorkerStore::read);
  }

  @Override
  public Optional<Worker> find(String workerId, String nodeGroup) {
    return database.find(
        "find worker " + workerId + " of node group " + nodeGroup,
        SELECT + "WHERE worker_id = :workerId AND node_group = :nodeGroup",
        Map.of("workerId", workerId, "nodeGroup", nodeGroup),
        JdbcWorkerStore::read);
  }

  /** Drops at once what workers say of other executions. */
  @Override
  public Map<Long, ExecutionProgress> progress(
      Collection<String> workerIds, Set<Long> executionIds) {
    return database
        .listByIds(
            "read the progress of " + executionIds.size() + " executions",
            "SELECT progress FROM jt_worker WHERE worker_id IN (:ids) AND progress IS NOT NULL",
            workerIds,
            Map.of(),
            (row, number) -> progressOf(executionIds, row))
        .stream()
        .flatMap(List::stream)
        .collect(
            Collectors.toMap(
                ExecutionProgress::executionId, Function.identity(), (one, other) -> one));
  }

  private static List<ExecutionProgress> progressOf(Set<Long> executionIds, ResultSet row)
      throws SQLException {
    return readProgress(row).stream()
        .filter(said -> executionIds.contains(said.executionId()))
        .toList();
  }

  @Override
  public boolean setDraining(String workerId, String nodeGroup, boolean draining) {
    return database.updateOne(
        "set whether worker " + workerId + " of node group " + nodeGroup + " drains",
        """
        UPDATE jt_worker SET draining = :draining
        WHERE worker_id = :workerId AND node_group = :nodeGroup""",
        Map.of("draining", draining, "workerId", workerId, "nodeGroup", nodeGroup));
  }

  @Override
  public List<Drain> draining(int limit) {
    String sql =
        """
        SELECT worker_id, node_group, process FROM jt_worker WHERE draining = TRUE
        ORDER BY draining, node_group, worker_id LIMIT :limit""";
    return database.list(
        "list workers that drain", sql, Map.of("limit", limit), JdbcWorkerStore::readDrain);
  }

  @Override
  public List<Drain> draining(String nodeGroup, int limit) {
    return database.list(
        "list workers of node group " + nodeGroup + " that drain",
        """
        SELECT worker_id, node_group, process FROM jt_worker
        WHERE draining = TRUE AND node_group = :nodeGroup
        ORDER BY draining, node_group, worker_id LIMIT :limit""",
        Map.of("nodeGroup", nodeGroup, "limit", limit),
        JdbcWorkerStore::readDrain);
  }

  private record Seen(WorkerKey key, long lastPullAt) {}

  @Override
  public Swept deleteGone(WorkerKey after, int lookAt, long lastPullBefore) {
    String select =
        """
        SELECT worker_id, node_group, last_pull_at FROM jt_worker %s
        WHERE worker_id >= :workerId AND (worker_id > :workerId OR node_group > :nodeGroup)
        ORDER BY worker_id, node_group
        LIMIT :limit"""
            .formatted(database.dialect().keyIndexHint());
    String what = "delete workers that are gone";
    return database.call(
        what,
        () -> {
          List<Seen> seen =
              database.list(what, select, behind(after, lookAt), JdbcWorkerStore::readSeen);
          int deleted =
              seen.stream()
                  .filter(one -> one.lastPullAt() < lastPullBefore)
                  .mapToInt(one -> delete(one.key(), lastPullBefore))
                  .sum();
          WorkerKey last = seen.isEmpty() ? null : seen.get(seen.size() - 1).key();
          return new Swept(seen.size(), deleted, last);
        });
  }

  /** Checks the last pull again: the worker may have pulled meanwhile. */
  private int delete(WorkerKey key, long lastPullBefore) {
    return database.update(
        "delete worker " + key.workerId() + " of node group " + key.nodeGroup(),
        """
        DELETE FROM jt_worker
        WHERE worker_id = :workerId AND node_group = :nodeGroup AND last_pull_at < :before""",
        Map.of("workerId", key.workerId(), "nodeGroup", key.nodeGroup(), "before", lastPullBefore));
  }

  private static Map<String, ?> behind(WorkerKey after, int limit) {
    return Map.of("workerId", after.workerId(), "nodeGroup", after.nodeGroup(), "limit", limit);
  }

  private static Seen readSeen(ResultSet row, int rowNumber) throws SQLException {
    return new Seen(
        new WorkerKey(row.getString("worker_id"), row.getString("node_group")),
        row.getLong("last_pull_at"));
  }

  private static String heldIds(Worker worker) {
    return worker.heldIds().stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  private static @Nullable String joined(List<String> names) {
    return names.isEmpty() ? null : String.join(" ", names);
  }

  private static List<String> readNames(ResultSet row, String column) throws SQLException {
    String names = row.getString(column);
    return names == null ? List.of() : List.of(names.split(" "));
  }

  private static Worker read(ResultSet row, int rowNumber) throws SQLException {
    return new Worker(
        row.getString("worker_id"),
        row.getString("node_group"),
        row.getLong("process"),
        row.getInt("tracker"),
        row.getString("address"),
        row.getString("software"),
        Columns.readIntOrNull(row, "slots"),
        Columns.readIntOrNull(row, "begun"),
        row.getInt("held"),
        Arrays.stream(row.getString("held_ids").split(" "))
            .filter(id -> !id.isEmpty())
            .map(Long::valueOf)
            .toList(),
        row.getLong("connected_at"),
        row.getLong("last_pull_at"),
        Columns.readLongOrNull(row, "disconnected_at"),
        row.getBoolean("draining"),
        readProgress(row),
        readNames(row, "features"),
        readNames(row, "labels"));
  }

  private static List<ExecutionProgress> readProgress(ResultSet row) throws SQLException {
    Progress progress = Columns.readJsonOrNull(row, "progress", Progress.class);
    return progress == null ? List.of() : progress.executions();
  }

  private static Drain readDrain(ResultSet row, int rowNumber) throws SQLException {
    return new Drain(
        row.getString("worker_id"), row.getString("node_group"), row.getLong("process"));
  }
}
