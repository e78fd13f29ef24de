package io.millrace.benchmarks.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/** Copies rows of Millrace's tables in SQL, as if more of the same had happened. */
public final class RowCopies {
  /** The position of the milliseconds in an id of Millrace. */
  private static final int TIME_SHIFT = 22;

  private final Connection connection;

  public RowCopies(Connection connection) {
    this.connection = connection;
  }

  /** Returns the expression for an id of this number of milliseconds earlier. */
  public static String idBefore(String column, long millis) {
    return column + " - " + (millis << TIME_SHIFT);
  }

  /**
   * Copies rows within a table, the latest first.
   *
   * @param order the column by which rows are ordered
   * @param last what comes later in this order is left out
   * @param most of rows that are copied
   * @param value the expression for the value of a column of a copy, by the name of the column
   * @return the number of rows that were copied
   */
  public long copy(String table, String order, long last, long most, UnaryOperator<String> value)
      throws SQLException {
    List<String> columns = columns(table);
    String text =
        "INSERT INTO %s (%s) SELECT %s FROM %s WHERE %s <= ? ORDER BY %s DESC LIMIT ?"
            .formatted(
                table,
                String.join(", ", columns),
                String.join(", ", columns.stream().map(value).toList()),
                table,
                order,
                order);
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      statement.setLong(1, last);
      statement.setLong(2, most);
      return statement.executeLargeUpdate();
    }
  }

  private List<String> columns(String table) throws SQLException {
    List<String> columns = new ArrayList<>();
    String text = "SELECT * FROM %s WHERE 1 = 0".formatted(table);
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      ResultSetMetaData description = statement.getMetaData();
      for (int i = 1; i <= description.getColumnCount(); i++) {
        columns.add(description.getColumnName(i).toLowerCase(Locale.ROOT));
      }
    }
    return columns;
  }

  /** Returns the number that a query yields. */
  public long number(String text) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text);
        ResultSet rows = statement.executeQuery()) {
      if (!rows.next()) {
        throw new IllegalStateException(text + " has no row");
      }
      return rows.getLong(1);
    }
  }

  /** Executes a statement. */
  public void execute(String text) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      boolean unused = statement.execute();
    }
  }

  /**
   * Lets the database look at tables that have grown: otherwise it plans by what it knew before.
   */
  public void refreshStatistics(String... tables) throws SQLException {
    boolean isH2 = connection.getMetaData().getDatabaseProductName().equals("H2");
    execute(isH2 ? "ANALYZE" : "ANALYZE TABLE " + String.join(", ", tables));
  }
}
