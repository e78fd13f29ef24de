package io.millrace.jobtracker.store.jdbc.schema;

import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The turn of one tracker among those that bring the same database up to date, where the dialect
 * asks for turns: statements of H2 that change one table at once keep failing each other. What is
 * applied does not depend on it.
 */
final class MigrationTurn implements AutoCloseable {
  private final Connection connection;

  private MigrationTurn(Connection connection) {
    this.connection = connection;
  }

  /**
   * Waits for the turn and keeps it until closed, or until the connection breaks.
   *
   * @param connection one that commits by itself; given back so, and not closed
   * @throws SQLException also when another took its turn for too long, or collided with this one
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

  /** Nothing was written in the turn's transaction: its end is all that counts. */
  @Override
  public void close() throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }
}
