package io.millrace.benchmarks.contender;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A connection in addition to those of the contender. */
public final class TableView implements AutoCloseable {
  private final Connection connection;

  private TableView(Connection connection) {
    this.connection = connection;
  }

  static TableView open(Place place) throws SQLException {
    Connection connection = DriverManager.getConnection(place.url(), place.user(), "");
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    return new TableView(connection);
  }

  /** Returns the number that a query yields. */
  public long number(String query, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getLong(1) : 0;
      }
    }
  }

  /** Executes a statement. */
  public void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      boolean unused = statement.execute(sql);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
