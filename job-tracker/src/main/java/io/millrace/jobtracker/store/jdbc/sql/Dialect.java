package io.millrace.jobtracker.store.jdbc.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

/**
 * What databases say differently, one method each. Chosen by the URL or by the caller, never by
 * asking the server for its version. Stateless and thread-safe.
 */
public interface Dialect {

  /** The folder of its SQL below {@code /schema} on the class path. */
  String schemaFolder();

  /** Statements that make what {@link #takesMigrationTurn} locks, unless it is there. */
  default List<String> preparesMigrationTurn() {
    return List.of();
  }

  /**
   * Statements that wait until no other connection has run them in a transaction that goes on. None
   * where several may apply the same migration at once.
   */
  default List<String> takesMigrationTurn() {
    return List.of();
  }

  /**
   * Whether a change of a table may have been broken off in its middle, so that {@link
   * #finishChanges} has something to do. Never where a change takes effect as a whole.
   */
  default boolean mayHaveUnfinishedChanges(Connection connection) {
    return false;
  }

  /**
   * Finishes or takes back what a killed process left of a change of a table. No other may be
   * changing tables meanwhile.
   */
  default void finishChanges(Connection connection) {}

  /** What the driver is told where the URL says nothing else. */
  default Map<String, String> driverProperties() {
    return Map.of();
  }

  /**
   * How long the driver may wait for a server, for connections whose statements are short: likewise
   * where the URL says nothing else.
   */
  default Map<String, String> driverTimeouts() {
    return Map.of();
  }

  /** What the driver is told whatever the URL says, which may not contradict it. */
  default Map<String, String> requiredDriverProperties() {
    return Map.of();
  }

  /** A statement for each new connection of a store. */
  default Optional<String> connectionInitSql() {
    return Optional.empty();
  }

  /** Whether the file of the database may be written by this process, through its connections. */
  default boolean writesItsFileHere() {
    return false;
  }

  /** Makes a new connection ready, before its first statement. */
  default void prepare(Connection connection) throws SQLException {}

  /**
   * What a transaction must hold from its first write until it has ended, where a kill could
   * otherwise leave a part of it: the same lock for all connections to one database. Empty where
   * the database keeps transactions whole by itself.
   *
   * @param urgent whether it is taken before all that wait for it
   */
  default Optional<Lock> writerLock(Connection connection, boolean urgent) throws SQLException {
    return Optional.empty();
  }

  /**
   * Waits until all that the connection's transaction has read is as safe as what it would commit
   * itself. Nothing to wait for where others see a commit only when it is on disk.
   *
   * @throws SQLException if it cannot be made safe
   */
  default void awaitRead(Connection connection) throws SQLException {}

  /**
   * Settings of nodes of a cluster, and the statement that sets each for a new connection, where
   * the server knows it and the URL does not mention it.
   */
  default Map<String, String> clusterSettings() {
    return Map.of();
  }

  /**
   * A statement for each new connection that fails with an error of {@link #isConnectionLost} where
   * the server lets clients in before, or after, it can be used.
   */
  default Optional<String> readinessCheck() {
    return Optional.empty();
  }

  /**
   * An expression: the database's clock in epoch milliseconds, whatever the session's time zone.
   */
  String nowMillis();

  /**
   * A query: each table of the schema by its name in lower case, and how many bytes it takes, from
   * statistics.
   */
  String tableBytes();

  /** Has the session read statistics that are not old, before {@link #tableBytes}. */
  default void prepareTableBytes(Statement statement) throws SQLException {}

  /**
   * A script that gives a table another name and ends when every transaction that has written to
   * the table has ended, or fails after a while that is shorter than the time-outs of drivers.
   */
  String renames(String table, String newName);

  /** What follows the name of a waiting table in FROM so that its due index is read. */
  String dueIndexHint(WaitingTableName table);

  /** What follows the name of a table in FROM so that this index of it is read. */
  String indexHint(String index);

  /** What follows the name of a table in FROM so that it is read in order of its key. */
  String keyIndexHint();

  /**
   * A statement that deletes the rows of so many ids, its parameters, and looks at no others: it
   * never waits for a row that another transaction is inserting.
   *
   * @param condition empty, or {@code AND …} on columns of the table
   */
  String deleteByIds(String table, String condition, int ids);

  /**
   * A statement that deletes at most {@code :limit} rows that meet a condition, the first ones of
   * their key.
   *
   * @param condition on the first of the key's columns
   */
  String deleteFirst(String table, String condition, List<String> keyColumns);

  /**
   * A query for the rows that meet a condition and whose task id is one of {@code :taskIds}.
   *
   * @param condition on columns of the table that come before or after the task id in its index
   */
  String selectByTasks(String columns, String table, String condition);

  /**
   * What {@code :taskIds} is to be: one value for each time that {@link #selectByTasks} must run;
   * and likewise {@code :nodeGroups} of {@link #selectByNodeGroups}.
   */
  List<Object> inLists(Collection<String> values);

  /**
   * A query for the task ids of those of so many jobs of which the executing table, the job
   * definitions or the ledger know something; a task id may come more than once. Its parameters are
   * those of {@link #pairs}, and then the node group twice.
   */
  String selectKnownJobs(int jobs);

  /** What stands for as many jobs, each by its task id and its submission id. */
  List<Object> pairs(List<String> taskIds, List<String> submissionIds);

  /** A query for the rows that meet a condition and whose group is one of {@code :nodeGroups}. */
  String selectByNodeGroups(String columns, String table, String condition);

  /** A statement that inserts rows and leaves those alone whose key exists. */
  String insertUnlessExists(String table, List<String> columns, List<String> keyColumns, int rows);

  /**
   * A statement that inserts rows and updates those whose key exists.
   *
   * @param sets assignments to the table's columns, in whose expressions {@code given.} stands
   *     before a column of the new row and {@code existing.} before one of the row that is there.
   *     One that reads a column comes before the one that sets it
   */
  String upsert(
      String table, List<String> columns, List<String> keyColumns, List<String> sets, int rows);

  /**
   * A statement that joins given rows to those of a table, named {@code given} and {@code
   * existing}, and updates the latter, in the order of the former. Its count is that of the rows
   * that met the condition.
   *
   * @param givenColumns numbers and flags, under names that the table does not have
   * @param on looks each row up by the table's id
   * @param set assignments to columns of the table
   */
  String updateFromRows(String table, List<String> givenColumns, String on, String set, int rows);

  /**
   * Whether the error says that the transaction lost against another one and was, or must be,
   * rolled back, and that running it again may succeed: a deadlock, a lock time-out, a failed
   * certification.
   */
  boolean isLostToConcurrency(SQLException error);

  /** Whether it is the error of a transaction that has waited for a lock as long as it may. */
  boolean isLockTimeout(SQLException error);

  /** Whether a statement that makes a table, a column or another part of one found it there. */
  boolean isThereAlready(SQLException error);

  /** A query for the rights of the user, a GRANT in each row; empty if there is none. */
  default Optional<String> showsGrants() {
    return Optional.empty();
  }

  /**
   * Whether the error says that the server keeps no further prepared statement: the transaction is
   * to run again over a connection that has none.
   */
  default boolean isOutOfStatements(SQLException error) {
    return false;
  }

  /** Whether the error says that its connection will never work again. */
  boolean isConnectionLost(SQLException error);

  /**
   * Whether the database cannot do now what it could before and may again, though the connection
   * stands: it has become read-only, its disk is full, it is shutting down.
   */
  boolean isUnavailable(SQLException error);

  /** Whether it {@linkplain #isUnavailable cannot} write, but may still be read. */
  boolean refusesWrites(SQLException error);
}
