package io.millrace.jobtracker.store.jdbc.schema;

import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The turn of one tracker among those that migrate the same database, if the dialect requires
 * turns: concurrent statements of H2 that change one table keep making each other fail. Correctness
 * does not depend on turns.
 */
final class MigrationTurn implements AutoCloseable {
  private final Connection connection;

  private MigrationTurn(Connection connection) {
    this.connection = connection;
  }

  /**
   * Waits for the turn and keeps it until closed, or until the connection breaks.
   *
   * @param connection a connection in auto-commit mode; {@link #close} restores that mode and does
   *     not close the connection
   * @throws SQLException also if another tracker kept its turn for too long, or collided with this
   *     one
   */
  static MigrationTurn take(Connection connection, Dialect dialect) throws SQLException {
    MigrationTurn turn = new MigrationTurn(connection);
    try {
      turn.run(dialect.preparesMigrationTurn());
      connection.setAutoCommit(false);
      turn.run(dialect.takesMigrationTurn());
      return turn;
    } catch (SQLException e) {
      turn.close();
      throw e;
    }
  }

  private void run(List<String> statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Ends the turn's transaction, which has written nothing. */
  @Override
  public void close() throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }
}
