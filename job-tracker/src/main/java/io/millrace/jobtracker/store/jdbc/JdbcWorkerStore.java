package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.console.WorkerStore;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.sql.Columns;
import io.millrace.jobtracker.store.jdbc.sql.Parameters;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The table {@code jt_worker}. */
final class JdbcWorkerStore implements WorkerStore {
  private static final int ADDRESS_CHARS = 255;
  private static final List<String> KEY = List.of("worker_id", "node_group");
  private static final List<String> COLUMNS =
      List.of(
          "worker_id",
          "node_group",
          "process",
          "tracker",
          "address",
          "software",
          "slots",
          "begun",
          "held",
          "held_ids",
          "connected_at",
          "last_pull_at",
          "disconnected_at");
  private static final String SELECT =
      "SELECT " + String.join(", ", COLUMNS) + ", draining FROM jt_worker ";

  /** The first assignment, because it reads the process that was stored before. */
  private static final String KEEPS_DRAINING =
      "draining = CASE WHEN existing.process = given.process THEN existing.draining ELSE FALSE END";

  private final Database database;
  private final RowInsert<Worker> upsert;

  JdbcWorkerStore(Database database) {
    this.database = database;
    List<String> sets =
        Stream.concat(
                Stream.of(KEEPS_DRAINING),
                COLUMNS.stream()
                    .filter(column -> !KEY.contains(column))
                    .map(column -> column + " = given." + column))
            .toList();
    this.upsert =
        new RowInsert<>(
            rows -> database.dialect().upsert("jt_worker", COLUMNS, KEY, sets, rows),
            JdbcWorkerStore::bind,
            worker -> 0);
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
    database.run(
        "write " + workers.size() + " workers", () -> upsert.insert(database.jdbc(), ordered));
  }

  /** The first condition uses the index; the second removes few rows. */
  @Override
  public List<Worker> list(WorkerKey after, int limit) {
    String sql =
        SELECT
            + """
            WHERE worker_id >= :workerId AND (worker_id > :workerId OR node_group > :nodeGroup)
            ORDER BY worker_id, node_group
            LIMIT :limit""";
    return database.call(
        "list workers",
        () ->
            database
                .sql(sql)
                .param("workerId", after.workerId())
                .param("nodeGroup", after.nodeGroup())
                .param("limit", limit)
                .query(JdbcWorkerStore::read)
                .list());
  }

  /** ORDER BY names every column of the index: H2 would sort all rows otherwise. */
  @Override
  public List<Worker> list(String nodeGroup, String aboveId, int limit) {
    String sql =
        SELECT
            + """
            WHERE node_group = :nodeGroup AND worker_id > :aboveId
            ORDER BY node_group, worker_id
            LIMIT :limit""";
    return database.call(
        "list workers of node group " + nodeGroup,
        () ->
            database
                .sql(sql)
                .param("nodeGroup", nodeGroup)
                .param("aboveId", aboveId)
                .param("limit", limit)
                .query(JdbcWorkerStore::read)
                .list());
  }

  @Override
  public List<Worker> find(String workerId, int limit) {
    String sql = SELECT + "WHERE worker_id = :workerId ORDER BY worker_id, node_group LIMIT :limit";
    return database.call(
        "find worker " + workerId,
        () ->
            database
                .sql(sql)
                .param("workerId", workerId)
                .param("limit", limit)
                .query(JdbcWorkerStore::read)
                .list());
  }

  @Override
  public Optional<Worker> find(String workerId, String nodeGroup) {
    return database.call(
        "find worker " + workerId + " of node group " + nodeGroup,
        () ->
            database
                .sql(SELECT + "WHERE worker_id = :workerId AND node_group = :nodeGroup")
                .param("workerId", workerId)
                .param("nodeGroup", nodeGroup)
                .query(JdbcWorkerStore::read)
                .optional());
  }

  @Override
  public boolean setDraining(String workerId, String nodeGroup, boolean draining) {
    String sql =
        """
        UPDATE jt_worker SET draining = :draining
        WHERE worker_id = :workerId AND node_group = :nodeGroup""";
    return database.call(
        "set whether worker " + workerId + " of node group " + nodeGroup + " drains",
        () ->
            database
                    .sql(sql)
                    .param("draining", draining)
                    .param("workerId", workerId)
                    .param("nodeGroup", nodeGroup)
                    .update()
                == 1);
  }

  @Override
  public List<Drain> draining(int limit) {
    String sql =
        """
        SELECT worker_id, node_group, process FROM jt_worker WHERE draining = TRUE
        ORDER BY draining, node_group, worker_id LIMIT :limit""";
    return database.call(
        "list workers that drain",
        () -> database.sql(sql).param("limit", limit).query(JdbcWorkerStore::readDrain).list());
  }

  @Override
  public List<Drain> draining(String nodeGroup, int limit) {
    String sql =
        """
        SELECT worker_id, node_group, process FROM jt_worker
        WHERE draining = TRUE AND node_group = :nodeGroup
        ORDER BY draining, node_group, worker_id LIMIT :limit""";
    return database.call(
        "list workers of node group " + nodeGroup + " that drain",
        () ->
            database
                .sql(sql)
                .param("nodeGroup", nodeGroup)
                .param("limit", limit)
                .query(JdbcWorkerStore::readDrain)
                .list());
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
    return database.call(
        "delete workers that are gone",
        () -> {
          List<Seen> seen =
              database
                  .sql(select)
                  .param("workerId", after.workerId())
                  .param("nodeGroup", after.nodeGroup())
                  .param("limit", lookAt)
                  .query(
                      (row, number) ->
                          new Seen(
                              new WorkerKey(
                                  row.getString("worker_id"), row.getString("node_group")),
                              row.getLong("last_pull_at")))
                  .list();
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
    return database
        .sql(
            "DELETE FROM jt_worker WHERE worker_id = :workerId AND node_group = :nodeGroup"
                + " AND last_pull_at < :before")
        .param("workerId", key.workerId())
        .param("nodeGroup", key.nodeGroup())
        .param("before", lastPullBefore)
        .update();
  }

  private static void bind(Worker worker, Parameters parameters) throws SQLException {
    parameters
        .text(worker.workerId())
        .text(worker.nodeGroup())
        .number(worker.process())
        .number(worker.tracker())
        .text(Columns.bounded(worker.address(), ADDRESS_CHARS))
        .text(worker.software())
        .numberOrNull(worker.slots())
        .numberOrNull(worker.begun())
        .number(worker.held())
        .text(worker.heldIds().stream().map(String::valueOf).collect(Collectors.joining(" ")))
        .number(worker.connectedAt())
        .number(worker.lastPullAt())
        .numberOrNull(worker.disconnectedAt());
  }

  private static Worker read(ResultSet row, int rowNumber) throws SQLException {
    return new Worker(
        row.getString("worker_id"),
        row.getString("node_group"),
        row.getLong("process"),
        row.getInt("tracker"),
        row.getString("address"),
        row.getString("software"),
        intOrNull(row, "slots"),
        intOrNull(row, "begun"),
        row.getInt("held"),
        Arrays.stream(row.getString("held_ids").split(" "))
            .filter(id -> !id.isEmpty())
            .map(Long::valueOf)
            .toList(),
        row.getLong("connected_at"),
        row.getLong("last_pull_at"),
        Columns.readLongOrNull(row, "disconnected_at"),
        row.getBoolean("draining"));
  }

  private static @Nullable Integer intOrNull(ResultSet row, String column) throws SQLException {
    int value = row.getInt(column);
    return row.wasNull() ? null : (Integer) value;
  }

  private static Drain readDrain(ResultSet row, int rowNumber) throws SQLException {
    return new Drain(
        row.getString("worker_id"), row.getString("node_group"), row.getLong("process"));
  }
}
