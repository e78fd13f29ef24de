package io.millrace.jobtracker.store.jdbc.sql;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** MySQL and what speaks its protocol: MariaDB, Galera, Group Replication, TiDB. */
public final class MySqlDialect implements Dialect {
  private static final int LOCK_TIMEOUT = 1205;
  private static final int UNKNOWN_VARIABLE = 1193;
  private static final int OUT_OF_STATEMENTS = 1461;
  private static final int RENAME_WAIT_SECONDS = 5;

  /** MySQL takes a bare parameter in a list of columns for text, and would compare as doubles. */
  private static final String GIVEN_NUMBER = "CAST(? AS SIGNED)";

  /** A given text as the tables have theirs, so that it is compared with an index as it stands. */
  private static final String GIVEN_ID =
      "CAST(? AS CHAR(128) CHARACTER SET utf8mb4) COLLATE utf8mb4_bin";

  /**
   * Lock wait time-out, deadlock (also Galera's failed certification), record changed since it was
   * read (MariaDB), rollback during commit (Group Replication), write conflict (TiDB).
   */
  private static final Set<Integer> LOST_TO_CONCURRENCY =
      Set.of(LOCK_TIMEOUT, 1213, 1020, 3101, 9007);

  /** Table, column, index, constraint (MariaDB, MySQL). */
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
   * Spares the round trips that ask for what the driver knows, and has the server keep parsed
   * statements. 24 KiB hold the largest that {@link RowInsert} and {@link InLists} make; what is
   * longer would be parsed each time. After an error the rest of a batch is not sent.
   *
   * <p>With several hosts in the URL, a connection to a further one may write, and stays there
   * until it is closed: moved back behind our back, it would be without what {@link
   * #connectionInitSql} set. When no host answers, the pool tries again, not the thread that lost
   * its connection.
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
   * A server is given up that cannot be reached in 5 s, or no longer answers for 30 s: longer than
   * any statement of a store takes.
   */
  @Override
  public Map<String, String> driverTimeouts() {
    return Map.of("connectTimeout", "5000", "socketTimeout", "30000");
  }

  /**
   * By default the driver takes every error of preparing a statement for "cannot be prepared",
   * sends it as text, and goes on. When a cluster has aborted the transaction, that error is how it
   * says so: what was written before is gone, and the rest would be committed as a new transaction.
   */
  @Override
  public Map<String, String> requiredDriverProperties() {
    return Map.of("emulateUnsupportedPstmts", "false");
  }

  /** The server's default of 50 s would hold a whole pipeline up; a lost wait is tried again. */
  @Override
  public Optional<String> connectionInitSql() {
    return Optional.of("SET SESSION innodb_lock_wait_timeout = 10");
  }

  /**
   * Of Galera. Reads, updates and deletes wait until the node has caught up with the others; that
   * inserts meet what others have is what keys are for. And an aborted statement is not repeated by
   * the server, which may have sent a part of the first answer by then.
   */
  @Override
  public Map<String, String> clusterSettings() {
    return Map.of(
        "wsrep_sync_wait", "SET SESSION wsrep_sync_wait = 3",
        "wsrep_retry_autocommit", "SET SESSION wsrep_retry_autocommit = 0");
  }

  /**
   * A node of a Galera cluster that has lost the others, or is still fetching their data, accepts
   * connections, answers what the driver asks of a new one, and refuses this.
   */
  @Override
  public Optional<String> readinessCheck() {
    return Optional.of("DO 1");
  }

  @Override
  public String tableBytes() {
    return """
    SELECT LOWER(table_name), COALESCE(data_length, 0) FROM information_schema.tables
    WHERE table_schema = DATABASE()\
    """;
  }

  /** MySQL keeps the statistics for a day unless it is told otherwise; MariaDB never does. */
  @Override
  public void prepareTableBytes(Statement statement) throws SQLException {
    try {
      statement.execute("SET SESSION information_schema_stats_expiry = 0");
    } catch (SQLException e) {
      if (e.getErrorCode() != UNKNOWN_VARIABLE) {
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
   * statements on the table wait behind it. Where it fails, the connection keeps the shorter wait,
   * which only statements such as this one know.
   */
  @Override
  public String renames(String table, String newName) {
    return """
    SET SESSION lock_wait_timeout = %d;
    ALTER TABLE %s RENAME TO %s;
    SET SESSION lock_wait_timeout = DEFAULT\
    """
        .formatted(RENAME_WAIT_SECONDS, table, newName);
  }

  /**
   * Forced rather than advised: the statistics of a table that fills and empties all day are always
   * out of date, and trusting them ends in a scan and a sort of everything that waits.
   */
  @Override
  public String dueIndexHint(WaitingTableName table) {
    return "FORCE INDEX (ix_due)";
  }

  /** Forced for the same reason: states come and go by the thousand. */
  @Override
  public String indexHint(String index) {
    return "FORCE INDEX (" + index + ")";
  }

  /** Forced: for a long stretch of ids the server would read all of a narrower index and sort. */
  @Override
  public String keyIndexHint() {
    return "FORCE INDEX (PRIMARY)";
  }

  /**
   * The given ids are joined, each to its row, and not a list searched for: of a table with few
   * more rows than the list has, MySQL scans and locks all whatever index is forced, and so waits
   * for rows that others just insert. MariaDB does so unless the index is forced.
   */
  @Override
  public String deleteByIds(String table, String condition, int ids) {
    return """
    DELETE existing FROM (SELECT %1$s AS given_id%2$s) AS given
    STRAIGHT_JOIN %3$s AS existing FORCE INDEX (PRIMARY) ON existing.id = given.given_id%4$s\
    """
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
   * The given rows are joined, and not three lists searched for, which takes twice the server's
   * time: before it runs it would look each value up to estimate what it costs. The indexes are
   * forced, because the statistics of tables that fill and empty all day are out of date.
   */
  @Override
  public String selectKnownJobs(int jobs) {
    return """
    SELECT given.task_id FROM (SELECT %1$s AS task_id, %1$s AS submission_id%2$s) AS given
    LEFT JOIN jt_executing AS executing FORCE INDEX (uq_executing_trigger)
      ON executing.task_id = given.task_id AND executing.node_group = ?
    LEFT JOIN jt_job AS job FORCE INDEX (uq_job_task)
      ON job.task_id = given.task_id AND job.node_group = ?
    LEFT JOIN jt_history AS ended FORCE INDEX (ix_history_submission)
      ON ended.submission_id = given.submission_id
    WHERE executing.id IS NOT NULL OR job.id IS NOT NULL OR ended.id IS NOT NULL\
    """
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

  /** Updates nothing on a duplicate; INSERT IGNORE would also swallow errors that are none. */
  @Override
  public String insertUnlessExists(
      String table, List<String> columns, List<String> keyColumns, int rows) {
    String key = keyColumns.get(0);
    return RowInsert.statement(table, columns, rows)
        + " ON DUPLICATE KEY UPDATE %s = %s.%s".formatted(key, table, key);
  }

  /** MariaDB has no name for the new row but the function VALUES. */
  @Override
  public String upsert(
      String table, List<String> columns, List<String> keyColumns, List<String> sets, int rows) {
    String assignments =
        String.join(", ", sets)
            .replaceAll("\\bgiven\\.(\\w+)", "VALUES($1)")
            .replaceAll("\\bexisting\\.", table + ".");
    return RowInsert.statement(table, columns, rows) + " ON DUPLICATE KEY UPDATE " + assignments;
  }

  /** The join is straight: the other way round it would scan the table and lock all of it. */
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
    SET %s\
    """
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

  /** A server that became read-only is left: its name may lead to another one by now. */
  @Override
  public boolean isConnectionLost(SQLException error) {
    String state = error.getSQLState();
    return (state != null && state.startsWith("08")) || isReadOnly(error);
  }

  private static boolean isReadOnly(SQLException error) {
    return READ_ONLY.contains(error.getErrorCode()) || isReadOnlyByDriver(error);
  }

  /** The driver's own, of a connection to a further host, where the URL wants that read-only. */
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
