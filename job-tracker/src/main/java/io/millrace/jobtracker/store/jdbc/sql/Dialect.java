package io.millrace.jobtracker.store.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * The differences between databases, one method each. Chosen by the URL or by the caller, never by
 * the server's version. Stateless and thread-safe.
 */
public interface Dialect {

  /** Returns the folder of its SQL below {@code /schema} on the class path. */
  String schemaFolder();

  /** Returns statements that create what {@link #takesMigrationTurn} locks, unless it exists. */
  default List<String> preparesMigrationTurn() {
    return List.of();
  }

  /**
   * Returns statements that wait until no other open transaction has run them. Empty if several
   * connections may apply the same migration at the same time.
   */
  default List<String> takesMigrationTurn() {
    return List.of();
  }

  /**
   * Whether a change of a table may have been interrupted, so that {@link #finishChanges} has work
   * to do. Always false if changes are atomic.
   */
  default boolean mayHaveUnfinishedChanges(Connection connection) {
    return false;
  }

  /**
   * Finishes or reverts changes of tables that a killed process left unfinished. No other
   * connection may change tables meanwhile.
   */
  default void finishChanges(Connection connection) {}

  /** Returns the driver properties that apply unless the URL sets them. */
  default Map<String, String> driverProperties() {
    return Map.of();
  }

  /**
   * Returns the driver's time-outs for connections whose statements are short; they apply unless
   * the URL sets them.
   */
  default Map<String, String> driverTimeouts() {
    return Map.of();
  }

  /** Returns the driver properties that always apply; the URL may not contradict them. */
  default Map<String, String> requiredDriverProperties() {
    return Map.of();
  }

  /** Returns a statement for each new connection of a store. */
  default Optional<String> connectionInitSql() {
    return Optional.empty();
  }

  /** Whether this process may write the database's file through its connections. */
  default boolean writesItsFileHere() {
    return false;
  }

  /** Prepares a new connection before its first statement, and returns the one to use. */
  default Connection prepare(Connection connection) throws SQLException {
    return connection;
  }

  /**
   * Returns the lock that a transaction must hold from its first write until its end, if a kill
   * could otherwise leave a partial transaction: the same lock for all connections to one database.
   * Empty if the database itself keeps transactions atomic.
   *
   * @param urgent whether to acquire it before all waiting transactions
   */
  default Optional<WriterLock> writerLock(Connection connection, boolean urgent)
      throws SQLException {
    return Optional.empty();
  }

  /**
   * Waits until everything that the connection's transaction has read is as durable as its own
   * commit. Does not wait if a commit becomes visible only when it is on disk.
   *
   * @throws SQLException if it cannot be made durable
   */
  default void awaitRead(Connection connection) throws SQLException {}

  /**
   * Returns settings of cluster nodes, each with the statement that sets it for a new connection,
   * if the server knows it and the URL does not mention it.
   */
  default Map<String, String> clusterSettings() {
    return Map.of();
  }

  /**
   * Returns a statement for each new connection. It fails with an error of {@link
   * #isConnectionLost} if the server accepts clients although it cannot be used yet, or no longer.
   */
  default Optional<String> readinessCheck() {
    return Optional.empty();
  }

  /**
   * Returns an expression for the database's clock in epoch milliseconds, independent of the
   * session's time zone.
   */
  String nowMillis();

  /**
   * Returns a query for each table of the schema: its name in lower case and its size in bytes,
   * from statistics.
   */
  String tableBytes();

  /** Makes the session read current statistics, before {@link #tableBytes}. */
  default void prepareTableBytes(JdbcOperations jdbc) {}

  /**
   * Returns a script that renames a table and waits until every transaction that has written to the
   * table has ended. The script fails after a time that is shorter than the driver's time-outs.
   */
  String renames(String table, String newName);

  /**
   * Returns the hint after the name of a waiting table in FROM that makes the database read its due
   * index.
   */
  String dueIndexHint(WaitingTableName table);

  /**
   * Returns a query of a waiting table for {@code lane}, {@code priority} and {@code due_at} of the
   * first row, in the order of the due index, of lane {@code :lane} from priority {@code :lowest}
   * on, or else of a later lane.
   */
  String nextLevel(WaitingTableName table);

  /** Returns the hint after the name of a table in FROM that makes the database read this index. */
  String indexHint(String index);

  /**
   * Returns the hint after the name of a table in FROM that makes the database read it in order of
   * its key.
   */
  String keyIndexHint();

  /**
   * Returns a statement that deletes the rows of this many ids, its parameters, and reads no other
   * rows: it never waits for a row that another transaction is inserting.
   *
   * @param condition empty, or {@code AND …} on columns of the table
   */
  String deleteByIds(String table, String condition, int ids);

  /**
   * Returns a statement that deletes at most {@code :limit} rows that meet a condition, the first
   * ones in order of their key.
   *
   * @param condition on the first of the key's columns
   */
  String deleteFirst(String table, String condition, List<String> keyColumns);

  /**
   * Returns a query for the rows that meet a condition and whose task id is one of {@code
   * :taskIds}.
   *
   * @param condition on columns of the table that come before or after the task id in its index
   */
  String selectByTasks(String columns, String table, String condition);

  /**
   * Returns the values of {@code :taskIds}: one for each run of {@link #selectByTasks}; likewise
   * for {@code :nodeGroups} of {@link #selectByNodeGroups}.
   */
  List<Object> inLists(Collection<String> values);

  /**
   * Returns a query for the task ids of those of this many jobs that are in the executing table,
   * the batches, the job definitions or the ledger; a task id may occur more than once. Its
   * parameters are those of {@link #pairs}, and then the node group three times.
   */
  String selectKnownJobs(int jobs);

  /** Returns the parameters for the jobs, each with its task id and its submission id. */
  List<Object> pairs(List<String> taskIds, List<String> submissionIds);

  /**
   * Returns a query for the rows that meet a condition and whose group is one of {@code
   * :nodeGroups}.
   */
  String selectByNodeGroups(String columns, String table, String condition);

  /** Returns a statement that inserts rows and skips those whose key exists. */
  String insertUnlessExists(String table, List<String> columns, List<String> keyColumns, int rows);

  /**
   * Returns a statement that inserts rows and updates those whose key exists.
   *
   * @param sets assignments to the table's columns, in whose expressions {@code given.} precedes a
   *     column of the new row and {@code existing.} a column of the existing row. An assignment
   *     that reads a column precedes the one that sets it
   */
  String upsert(
      String table, List<String> columns, List<String> keyColumns, List<String> sets, int rows);

  /**
   * Returns a statement that joins {@code given} rows to {@code existing} rows of a table and
   * updates the latter, in the order of the former. Its count is the number of rows that met the
   * condition.
   *
   * @param givenColumns numbers and flags, under names that the table does not have
   * @param on looks each row up by the table's id
   * @param set assignments to columns of the table
   */
  String updateFromRows(String table, List<String> givenColumns, String on, String set, int rows);

  /**
   * Whether the error means that the transaction lost against another one, was or must be rolled
   * back, and may succeed if it runs again: a deadlock, a lock time-out, a failed certification.
   */
  boolean isLostToConcurrency(SQLException error);

  /** Whether the error is a lock time-out. */
  boolean isLockTimeout(SQLException error);

  /** Whether the table, column or other object that a statement creates exists already. */
  boolean isThereAlready(SQLException error);

  /** Returns a query for the rights of the user, a GRANT in each row; empty if there is none. */
  default Optional<String> showsGrants() {
    return Optional.empty();
  }

  /**
   * Whether the error means that the server accepts no further prepared statement: the transaction
   * must run again over a connection that uses none.
   */
  default boolean isOutOfStatements(SQLException error) {
    return false;
  }

  /** Whether the error means that its connection is permanently unusable. */
  boolean isConnectionLost(SQLException error);

  /**
   * Whether the database temporarily cannot do its work although the connection is intact: it has
   * become read-only, its disk is full, it is shutting down.
   */
  boolean isUnavailable(SQLException error);

  /** Whether the database {@linkplain #isUnavailable cannot} write, but may still answer reads. */
  boolean refusesWrites(SQLException error);
}
