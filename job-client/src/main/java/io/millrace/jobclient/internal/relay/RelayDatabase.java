package io.millrace.jobclient.internal.relay;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Runs the transactions of a relay, each over a connection of its own, at READ COMMITTED: a relay
 * never waits for rows that the application has not committed. Thread-safe.
 */
public final class RelayDatabase {
  private static final int TRIES = 3;

  private final DataSource source;
  private final DatabaseClock clock;

  public RelayDatabase(DataSource source, DatabaseClock clock) {
    this.source = source;
    this.clock = clock;
  }

  /** The statements of a transaction. */
  @FunctionalInterface
  interface Work<T> {

    /**
     * Runs the statements.
     *
     * @param now an expression for the time of the database in epoch milliseconds
     */
    T run(Connection connection, String now) throws SQLException;
  }

  /**
   * Runs a transaction, and again if it lost against another one.
   *
   * @param what what it does, for messages
   * @throws RelayFailedException if it fails; it may have been committed all the same
   */
  <T> T inTransaction(String what, Work<T> work) {
    for (int tries = 1; ; tries++) {
      try {
        return once(work);
      } catch (SQLException e) {
        if (tries == TRIES || !hasLost(e)) {
          throw new RelayFailedException("the relay could not " + what + ": " + e.getMessage(), e);
        }
      }
    }
  }

  private static boolean hasLost(SQLException e) {
    return e.getSQLState() != null && e.getSQLState().startsWith("40");
  }

  private <T> T once(Work<T> work) throws SQLException {
    try (Connection connection = source.getConnection()) {
      boolean commitsItself = connection.getAutoCommit();
      int isolation = connection.getTransactionIsolation();
      if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      }
      if (commitsItself) {
        connection.setAutoCommit(false);
      }
      boolean committed = false;
      try {
        T result = work.run(connection, clock.expression(DatabaseKind.of(connection)));
        connection.commit();
        committed = true;
        return result;
      } finally {
        giveBack(connection, committed, commitsItself, isolation);
      }
    }
  }

  /** Whoever gets the connection next finds it as it was. */
  private static void giveBack(
      Connection connection, boolean committed, boolean commitsItself, int isolation)
      throws SQLException {
    try {
      if (!committed) {
        connection.rollback();
      }
      if (commitsItself) {
        connection.setAutoCommit(true);
      }
      if (isolation != Connection.TRANSACTION_READ_COMMITTED) {
        connection.setTransactionIsolation(isolation);
      }
    } catch (SQLException e) {
      if (committed) {
        throw e;
      }
      // The failure that is under way says more.
    }
  }
}
