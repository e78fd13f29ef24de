package io.millrace.jobtracker.store.jdbc.h2;

import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import io.millrace.jobtracker.store.jdbc.sql.RowInsert;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTableName;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTables;
import io.millrace.jobtracker.store.jdbc.sql.WriterLock;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** H2 in its regular mode. */
public final class H2Dialect implements Dialect {
  private static final int LOCK_TIMEOUT = 50200;

  /** Deadlock, lock time-out, row changed by another transaction meanwhile. */
  private static final Set<Integer> LOST_TO_CONCURRENCY = Set.of(40001, LOCK_TIMEOUT, 90131);

  /** A table, index, column or constraint exists already. */
  private static final Set<Integer> THERE_ALREADY = Set.of(42101, 42111, 42121, 90045);

  /** Connection broken, database closed: also if it has closed itself on a full disk. */
  private static final Set<Integer> CONNECTION_LOST = Set.of(90067, 90098, 90121);

  /** Read-only, and errors of the file system: mainly a full disk. */
  private static final Set<Integer> UNAVAILABLE = Set.of(90097, 90028, 90031);

  @Override
  public String schemaFolder() {
    return "h2";
  }

  @Override
  public List<String> preparesMigrationTurn() {
    return List.of(
        "CREATE TABLE IF NOT EXISTS jt_migration_turn (id INT PRIMARY KEY)",
        "MERGE INTO jt_migration_turn KEY (id) VALUES (1)");
  }

  @Override
  public List<String> takesMigrationTurn() {
    return List.of("SELECT id FROM jt_migration_turn WHERE id = 1 FOR UPDATE");
  }

  @Override
  public boolean mayHaveUnfinishedChanges(Connection connection) {
    return new UnfinishedAlters(connection).areThere();
  }

  @Override
  public void finishChanges(Connection connection) {
    synchronized (WaitingTables.UPGRADE) {
      new UnfinishedAlters(connection).finish();
    }
  }

  @Override
  public boolean writesItsFileHere() {
    return true;
  }

  @Override
  public Connection prepare(Connection connection) throws SQLException {
    H2File.of(connection).ifPresent(H2File::keepCommits);
    return connection;
  }

  @Override
  public Optional<WriterLock> writerLock(Connection connection, boolean urgent)
      throws SQLException {
    return H2File.of(connection).map(file -> file.writerLock(urgent));
  }

  @Override
  public void awaitRead(Connection connection) throws SQLException {
    Optional<H2File> file = H2File.of(connection);
    if (file.isPresent()) {
      file.get().awaitRead();
    }
  }

  @Override
  public String tableBytes() {
    return """
    SELECT LOWER(table_name), DISK_SPACE_USED('"' || table_schema || '"."' || table_name || '"')
    FROM INFORMATION_SCHEMA.TABLES
    WHERE table_schema = SCHEMA() AND table_type = 'BASE TABLE'""";
  }

  /** H2's clock stops within a transaction. */
  @Override
  public String nowMillis() {
    return "CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)";
  }

  /** The rename does not wait; the second statement changes nothing, but locks the table. */
  @Override
  public String renames(String table, String newName) {
    return "ALTER TABLE %1$s RENAME TO %2$s; ALTER TABLE %2$s SET REFERENTIAL_INTEGRITY TRUE"
        .formatted(table, newName);
  }

  @Override
  public String dueIndexHint(WaitingTableName table) {
    return "USE INDEX (" + table + "_due)";
  }

  /**
   * Asks for the two cases apart, because H2 uses no index for OR. ORDER BY names every column of
   * the index: it would sort all rows otherwise. The bounds are inclusive: with an exclusive one it
   * would begin at the excluded lane and read all its rows.
   */
  @Override
  public String nextLevel(WaitingTableName table) {
    return """
    SELECT lane, priority, due_at FROM (
      (SELECT lane, priority, due_at FROM %1$s %2$s
        WHERE lane = :lane AND priority >= :lowest
        ORDER BY lane, priority, due_at, id LIMIT 1)
      UNION ALL
      (SELECT lane, priority, due_at FROM %1$s %2$s
        WHERE lane >= :lane + 1
        ORDER BY lane, priority, due_at, id LIMIT 1)) AS first_
    ORDER BY lane LIMIT 1"""
        .formatted(table, dueIndexHint(table));
  }

  @Override
  public String indexHint(String index) {
    return "USE INDEX (" + index + ")";
  }

  @Override
  public String keyIndexHint() {
    return "";
  }

  @Override
  public String deleteByIds(String table, String condition, int ids) {
    return "DELETE FROM " + table + " WHERE id IN (?" + ", ?".repeat(ids - 1) + ")" + condition;
  }

  /**
   * H2 supports no ORDER BY here; it deletes the rows in the order of the key's index, by which it
   * finds them.
   */
  @Override
  public String deleteFirst(String table, String condition, List<String> keyColumns) {
    return "DELETE FROM " + table + " WHERE " + condition + " FETCH FIRST :limit ROWS ONLY";
  }

  /**
   * H2 does not look an IN list up in a multi-column index if another column of it has a condition:
   * it scans. A join looks each task id up; an outer join prevents H2 from reversing the join
   * order.
   */
  @Override
  public String selectByTasks(String columns, String table, String condition) {
    return """
    SELECT %s FROM UNNEST(:taskIds) AS wanted (wanted_task_id)
    LEFT JOIN %s ON task_id = wanted_task_id AND %s
    WHERE id IS NOT NULL"""
        .formatted(columns, table, condition);
  }

  /** Independent of the number of jobs: each of the two lists is one value. */
  @Override
  public String selectKnownJobs(int jobs) {
    return """
    SELECT wanted_task_id FROM UNNEST(?, ?) AS wanted (wanted_task_id, wanted_submission_id)
    LEFT JOIN jt_executing AS executing
      ON executing.task_id = wanted_task_id AND executing.node_group = ?
    LEFT JOIN jt_batch AS batch
      ON batch.task_id = wanted_task_id AND batch.node_group = ?
    LEFT JOIN jt_job AS job ON job.task_id = wanted_task_id AND job.node_group = ?
    LEFT JOIN jt_history AS ended ON ended.submission_id = wanted_submission_id
    WHERE executing.id IS NOT NULL OR batch.id IS NOT NULL OR job.id IS NOT NULL
      OR ended.id IS NOT NULL""";
  }

  @Override
  public List<Object> pairs(List<String> taskIds, List<String> submissionIds) {
    return List.of(taskIds.toArray(), submissionIds.toArray());
  }

  @Override
  public String selectByNodeGroups(String columns, String table, String condition) {
    return """
    SELECT %s FROM UNNEST(:nodeGroups) AS wanted (wanted_group)
    LEFT JOIN %s ON node_group = wanted_group AND %s
    WHERE id IS NOT NULL"""
        .formatted(columns, table, condition);
  }

  @Override
  public List<Object> inLists(Collection<String> values) {
    // One value, and so one query. The cast prevents List.of from spreading the array.
    return values.isEmpty() ? List.of() : List.of((Object) values.stream().distinct().toArray());
  }

  @Override
  public String upsert(
      String table, List<String> columns, List<String> keyColumns, List<String> sets, int rows) {
    return insertUnlessExists(table, columns, keyColumns, rows)
        + " WHEN MATCHED THEN UPDATE SET "
        + String.join(", ", sets);
  }

  @Override
  public String insertUnlessExists(
      String table, List<String> columns, List<String> keyColumns, int rows) {
    String sameKey =
        keyColumns.stream()
            .map(column -> "existing." + column + " = given." + column)
            .collect(Collectors.joining(" AND "));
    String given =
        columns.stream().map(column -> "given." + column).collect(Collectors.joining(", "));
    return merge(table, columns, sameKey, rows)
        + " WHEN NOT MATCHED THEN INSERT (%s) VALUES (%s)"
            .formatted(String.join(", ", columns), given);
  }

  @Override
  public String updateFromRows(
      String table, List<String> givenColumns, String on, String set, int rows) {
    return merge(table, givenColumns, on, rows) + " WHEN MATCHED THEN UPDATE SET " + set;
  }

  private static String merge(String table, List<String> columns, String on, int rows) {
    return """
    MERGE INTO %s AS existing
    USING (VALUES %s) AS given (%s)
    ON %s"""
        .formatted(
            table, RowInsert.placeholders(columns.size(), rows), String.join(", ", columns), on);
  }

  @Override
  public boolean isLostToConcurrency(SQLException error) {
    return LOST_TO_CONCURRENCY.contains(error.getErrorCode());
  }

  @Override
  public boolean isLockTimeout(SQLException error) {
    return error.getErrorCode() == LOCK_TIMEOUT;
  }

  @Override
  public boolean isThereAlready(SQLException error) {
    return THERE_ALREADY.contains(error.getErrorCode());
  }

  @Override
  public boolean isConnectionLost(SQLException error) {
    return CONNECTION_LOST.contains(error.getErrorCode());
  }

  @Override
  public boolean isUnavailable(SQLException error) {
    return UNAVAILABLE.contains(error.getErrorCode());
  }

  @Override
  public boolean refusesWrites(SQLException error) {
    return isUnavailable(error);
  }
}
