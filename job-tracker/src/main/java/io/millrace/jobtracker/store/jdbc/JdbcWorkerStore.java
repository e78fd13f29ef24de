package io.millrace.jobtracker.store.jdbc;

import io.millrace.internal.protocol.ExecutionProgress;
import io.millrace.jobtracker.store.console.WorkerStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.RowColumns;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

  private static final String IS_LIKE = " AND LOCATE(:contained, LOWER(worker_id)) > 0";

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

  /** The first condition uses the index; the second removes few rows. */
  @Override
  public List<Worker> list(WorkerKey after, int limit) {
    return list("", behind(after, limit));
  }

  @Override
  public List<Worker> listLike(String contained, WorkerKey after, int limit) {
    Map<String, Object> values = new HashMap<>(behind(after, limit));
    values.put("contained", contained.toLowerCase(Locale.ROOT));
    return list(IS_LIKE, values);
  }

  private List<Worker> list(String filter, Map<String, ?> values) {
    String sql =
        SELECT
            + "WHERE worker_id >= :workerId AND (worker_id > :workerId OR node_group > :nodeGroup)"
            + filter
            + " ORDER BY worker_id, node_group LIMIT :limit";
    return database.list("list workers", sql, values, JdbcWorkerStore::read);
  }

  @Override
  public List<Worker> list(String nodeGroup, String aboveId, int limit) {
    return listOfGroup("", above(nodeGroup, aboveId, limit));
  }

  @Override
  public List<Worker> listLike(String contained, String nodeGroup, String aboveId, int limit) {
    Map<String, Object> values = new HashMap<>(above(nodeGroup, aboveId, limit));
    values.put("contained", contained.toLowerCase(Locale.ROOT));
    return listOfGroup(IS_LIKE, values);
  }

  private static Map<String, Object> above(String nodeGroup, String aboveId, int limit) {
    return Map.of("nodeGroup", nodeGroup, "aboveId", aboveId, "limit", limit);
  }

  /** ORDER BY names every column of the index: H2 would sort all rows otherwise. */
  private List<Worker> listOfGroup(String filter, Map<String, Object> values) {
    return database.list(
        "list workers of node group " + values.get("nodeGroup"),
        SELECT
            + "WHERE node_group = :nodeGroup AND worker_id > :aboveId"
            + filter
            + " ORDER BY node_group, worker_id LIMIT :limit",
        values,
        JdbcWorkerStore::read);
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
