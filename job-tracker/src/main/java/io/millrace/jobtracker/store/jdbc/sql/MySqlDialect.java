package io.millrace.jobtracker.store.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;

/** MySQL and databases with its protocol: MariaDB, Galera, Group Replication, TiDB. */
public final class MySqlDialect implements Dialect {
  private static final int LOCK_TIMEOUT = 1205;
  private static final int UNKNOWN_VARIABLE = 1193;
  private static final int OUT_OF_STATEMENTS = 1461;
  private static final int RENAME_WAIT_SECONDS = 5;

  /**
   * A numeric parameter: MySQL treats a bare parameter in a column list as text, and would compare
   * as doubles.
   */
  private static final String GIVEN_NUMBER = "CAST(? AS SIGNED)";

  /**
   * A text parameter with the character set and collation of the tables, so that it can be looked
   * up in an index without conversion.
   */
  private static final String GIVEN_ID =
      "CAST(? AS CHAR(128) CHARACTER SET utf8mb4) COLLATE utf8mb4_bin";

  /**
   * Lock wait time-out, deadlock (also Galera's failed certification), record changed since it was
   * read (MariaDB), rollback during commit (Group Replication), write conflict (TiDB).
   */
  private static final Set<Integer> LOST_TO_CONCURRENCY =
      Set.of(LOCK_TIMEOUT, 1213, 1020, 3101, 9007);

  /** A table, column, index or constraint (MariaDB, MySQL) exists already. */
  private static final Set<Integer> THERE_ALREADY = Set.of(1050, 1060, 1061, 1826, 3822);

  /** Read-only by an option, for a transaction, or since a failover. */
  private static final Set<Integer> READ_ONLY = Set.of(1290, 1792, 1836);

  /** Disk full, table full. */
  private static final Set<Integer> FULL = Set.of(1021, 1114);

  /**
   * Out of memory or resources, too many connections, shutting down, query interrupted, connection
   * killed.
   */
  private static final Set<Integer> UNAVAILABLE = Set.of(1037, 1041, 1040, 1203, 1053, 1317, 1927);

  @Override
  public String schemaFolder() {
    return "mysql";
  }

  /**
   * Avoids round trips for facts that the driver knows, and makes the server keep parsed
   * statements, except {@linkplain LongStatements long ones}. 24 KiB hold the largest statements of
   * {@link RowInsert} and {@link InLists}, whose text the driver would otherwise parse each time.
   * After an error the rest of a batch is not sent.
   *
   * <p>With several hosts in the URL, a connection to a further host may write, and stays there
   * until it is closed: if the driver moved it back, it would lose the settings of {@link
   * #connectionInitSql}. If no host answers, the pool retries, not the thread that lost its
   * connection.
   */
  @Override
  public Map<String, String> driverProperties() {
    return Map.of(
        "useLocalSessionState", "true",
        "useServerPrepStmts", "true",
        "cachePrepStmts", "true",
        "prepStmtCacheSize", "256",
        "prepStmtCacheSqlLimit", "24576",
        "continueBatchOnError", "false",
        "failOverReadOnly", "false",
        "secondsBeforeRetrySource", "0",
        "queriesBeforeRetrySource", "0",
        "retriesAllDown", "1");
  }

  /**
   * Gives up a server that cannot be reached within 5 s, or does not answer for 30 s: longer than
   * any statement of a store takes.
   */
  @Override
  public Map<String, String> driverTimeouts() {
    return Map.of("connectTimeout", "5000", "socketTimeout", "30000");
  }

  /**
   * By default the driver treats every error of preparing a statement as "cannot be prepared",
   * sends the statement as text, and continues. But a cluster reports by such an error that it has
   * aborted the transaction: the earlier writes are lost, and the rest would be committed as a new
   * transaction.
   */
  @Override
  public Map<String, String> requiredDriverProperties() {
    return Map.of("emulateUnsupportedPstmts", "false");
  }

  @Override
  public Connection prepare(Connection connection) {
    return LongStatements.asText(connection);
  }

  /**
   * The server's default lock wait of 50 s would block a whole pipeline; after a time-out the
   * transaction is retried.
   */
  @Override
  public Optional<String> connectionInitSql() {
    return Optional.of("SET SESSION innodb_lock_wait_timeout = 10");
  }

  /**
   * Settings of Galera. Reads, updates and deletes wait until the node has caught up with the
   * others; inserts need no wait, because unique keys detect conflicts. The server does not repeat
   * an aborted statement, because it may already have sent a part of the first answer.
   */
  @Override
  public Map<String, String> clusterSettings() {
    return Map.of(
        "wsrep_sync_wait", "SET SESSION wsrep_sync_wait = 3",
        "wsrep_retry_autocommit", "SET SESSION wsrep_retry_autocommit = 0");
  }

  /**
   * A node of a Galera cluster that has lost the others, or is still fetching their data, accepts
   * connections, answers the driver's initial queries, and refuses this statement.
   */
  @Override
  public Optional<String> readinessCheck() {
    return Optional.of("DO 1");
  }

  @Override
  public String tableBytes() {
    return """
    SELECT LOWER(table_name), COALESCE(data_length, 0) FROM information_schema.tables
    WHERE table_schema = DATABASE()""";
  }

  /**
   * MySQL caches the statistics for a day by default; MariaDB does not cache them and does not know
   * the variable.
   */
  @Override
  public void prepareTableBytes(JdbcOperations jdbc) {
    try {
      jdbc.execute("SET SESSION information_schema_stats_expiry = 0");
    } catch (DataAccessException e) {
      SQLException error = SqlErrors.causeOf(e);
      if (error == null || error.getErrorCode() != UNKNOWN_VARIABLE) {
        throw e;
      }
    }
  }

  @Override
  public String nowMillis() {
    return "TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000";
  }

  /**
   * By default the wait for transactions is a day on MariaDB and a year on MySQL, and all
   * statements on the table wait behind it. If the script fails, the connection keeps the shorter
   * wait, which affects only statements of this kind.
   */
  @Override
  public String renames(String table, String newName) {
    return """
    SET SESSION lock_wait_timeout = %d;
    ALTER TABLE %s RENAME TO %s;
    SET SESSION lock_wait_timeout = DEFAULT"""
        .formatted(RENAME_WAIT_SECONDS, table, newName);
  }

  /**
   * Forces the index instead of suggesting it: the statistics of a table that fills and empties all
   * day are always out of date, and a plan based on them scans and sorts all waiting rows.
   */
  @Override
  public String dueIndexHint(WaitingTableName table) {
    return "FORCE INDEX (ix_due)";
  }

  @Override
  public String nextLevel(WaitingTableName table) {
    return """
    SELECT lane, priority, due_at FROM %s %s
    WHERE (lane = :lane AND priority >= :lowest) OR lane > :lane
    ORDER BY lane, priority, due_at, id
    LIMIT 1"""
        .formatted(table, dueIndexHint(table));
  }

  /** Forces the index for the same reason: thousands of rows change state. */
  @Override
  public String indexHint(String index) {
    return "FORCE INDEX (" + index + ")";
  }

  /**
   * Forces the index: for a long range of ids the server would read all of a narrower index and
   * sort.
   */
  @Override
  public String keyIndexHint() {
    return "FORCE INDEX (PRIMARY)";
  }

  /**
   * Joins each given id to its row instead of using an IN list: if a table has few more rows than
   * the list, MySQL scans and locks all rows, even with a forced index, and so waits for rows that
   * others are inserting. MariaDB does so unless the index is forced.
   */
  @Override
  public String deleteByIds(String table, String condition, int ids) {
    return """
    DELETE existing FROM (SELECT %1$s AS given_id%2$s) AS given
    STRAIGHT_JOIN %3$s AS existing FORCE INDEX (PRIMARY) ON existing.id = given.given_id%4$s"""
        .formatted(
            GIVEN_NUMBER, (" UNION ALL SELECT " + GIVEN_NUMBER).repeat(ids - 1), table, condition);
  }

  @Override
  public String deleteFirst(String table, String condition, List<String> keyColumns) {
    return "DELETE FROM %s WHERE %s ORDER BY %s LIMIT :limit"
        .formatted(table, condition, String.join(", ", keyColumns));
  }

  @Override
  public String selectByTasks(String columns, String table, String condition) {
    return "SELECT %s FROM %s WHERE %s AND task_id IN (:taskIds)"
        .formatted(columns, table, condition);
  }

  /**
   * Joins the given rows instead of using three IN lists, which take twice the server's time: to
   * estimate the cost, it would look each value up before execution. Forces the indexes, because
   * the statistics of tables that fill and empty all day are out of date.
   */
  @Override
  public String selectKnownJobs(int jobs) {
    return """
    SELECT given.task_id FROM (SELECT %1$s AS task_id, %1$s AS submission_id%2$s) AS given
    LEFT JOIN jt_executing AS executing FORCE INDEX (uq_executing_trigger)
      ON executing.task_id = given.task_id AND executing.node_group = ?
    LEFT JOIN jt_batch AS batch FORCE INDEX (ix_batch_task)
      ON batch.task_id = given.task_id AND batch.node_group = ?
    LEFT JOIN jt_job AS job FORCE INDEX (uq_job_task)
      ON job.task_id = given.task_id AND job.node_group = ?
    LEFT JOIN jt_history AS ended FORCE INDEX (ix_history_submission)
      ON ended.submission_id = given.submission_id
    WHERE executing.id IS NOT NULL OR batch.id IS NOT NULL OR job.id IS NOT NULL
      OR ended.id IS NOT NULL"""
        .formatted(GIVEN_ID, " UNION ALL SELECT ?, ?".repeat(jobs - 1));
  }

  @Override
  public List<Object> pairs(List<String> taskIds, List<String> submissionIds) {
    List<Object> pairs = new ArrayList<>();
    for (int i = 0; i < taskIds.size(); i++) {
      pairs.add(taskIds.get(i));
      pairs.add(submissionIds.get(i));
    }
    return pairs;
  }

  @Override
  public String selectByNodeGroups(String columns, String table, String condition) {
    return "SELECT %s FROM %s WHERE node_group IN (:nodeGroups) AND %s"
        .formatted(columns, table, condition);
  }

  @Override
  public List<Object> inLists(Collection<String> values) {
    return List.copyOf(InLists.of(values));
  }

  /** Updates nothing on a duplicate; INSERT IGNORE would also hide errors other than duplicates. */
  @Override
  public String insertUnlessExists(
      String table, List<String> columns, List<String> keyColumns, int rows) {
    String key = keyColumns.get(0);
    return RowInsert.statement(table, columns, rows)
        + " ON DUPLICATE KEY UPDATE %s = %s.%s".formatted(key, table, key);
  }

  /** On MariaDB, only the function VALUES refers to the new row. */
  @Override
  public String upsert(
      String table, List<String> columns, List<String> keyColumns, List<String> sets, int rows) {
    String assignments =
        String.join(", ", sets)
            .replaceAll("\\bgiven\\.(\\w+)", "VALUES($1)")
            .replaceAll("\\bexisting\\.", table + ".");
    return RowInsert.statement(table, columns, rows) + " ON DUPLICATE KEY UPDATE " + assignments;
  }

  /** The join order is fixed: in reverse order it would scan the table and lock all rows. */
  @Override
  public String updateFromRows(
      String table, List<String> givenColumns, String on, String set, int rows) {
    String first =
        givenColumns.stream()
            .map(column -> GIVEN_NUMBER + " AS " + column)
            .collect(Collectors.joining(", "));
    String further =
        " UNION ALL SELECT "
            + String.join(", ", Collections.nCopies(givenColumns.size(), GIVEN_NUMBER));
    return """
    UPDATE (SELECT %s%s) AS given
    STRAIGHT_JOIN %s AS existing FORCE INDEX (PRIMARY) ON %s
    SET %s"""
        .formatted(first, further.repeat(rows - 1), table, on, set);
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
  public Optional<String> showsGrants() {
    return Optional.of("SHOW GRANTS");
  }

  @Override
  public boolean isOutOfStatements(SQLException error) {
    return error.getErrorCode() == OUT_OF_STATEMENTS;
  }

  /**
   * A connection to a server that became read-only counts as lost: its name may lead to another
   * server by now.
   */
  @Override
  public boolean isConnectionLost(SQLException error) {
    String state = error.getSQLState();
    return (state != null && state.startsWith("08")) || isReadOnly(error);
  }

  private static boolean isReadOnly(SQLException error) {
    return READ_ONLY.contains(error.getErrorCode()) || isReadOnlyByDriver(error);
  }

  /** The driver's own error for a connection to a further host, if the URL makes that read-only. */
  private static boolean isReadOnlyByDriver(SQLException error) {
    return error.getErrorCode() == 0
        && "S1009".equals(error.getSQLState())
        && String.valueOf(error.getMessage()).startsWith("Connection is read-only");
  }

  @Override
  public boolean isUnavailable(SQLException error) {
    return refusesWrites(error) || UNAVAILABLE.contains(error.getErrorCode());
  }

  @Override
  public boolean refusesWrites(SQLException error) {
    return isReadOnly(error) || FULL.contains(error.getErrorCode());
  }
}
