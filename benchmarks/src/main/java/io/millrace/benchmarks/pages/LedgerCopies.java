package io.millrace.benchmarks.pages;

import io.millrace.benchmarks.measure.WallClock;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Fills a ledger in SQL: copies its rows, and the rows of dead triggers and of counts beside it, as
 * if the same had happened before. Each step copies all rows that are there to an earlier time, so
 * that it doubles them.
 */
final class LedgerCopies {
  /** How far apart the copies are; longer than the first rows took to be written. */
  private static final long STEP_MILLIS = Duration.ofMinutes(10).toMillis();

  private static final Duration ENDS_ARE_WRITTEN = Duration.ofMinutes(1);
  private static final long LOOK_AGAIN_MILLIS = 20;

  /** The position of the milliseconds in an id of Millrace. */
  private static final int TIME_SHIFT = 22;

  /** Instants that are moved; an instant of 0 or null stays. */
  private static final Set<String> INSTANTS =
      Set.of(
          "planned_at",
          "planned_for",
          "planned_to",
          "due_at",
          "generated_at",
          "claimed_at",
          "started_at",
          "finished_at",
          "died_at",
          "minute_at");

  private final Connection connection;
  private final Consumer<String> progress;

  LedgerCopies(Connection connection, Consumer<String> progress) {
    this.connection = connection;
    this.progress = progress;
  }

  /**
   * Copies until the ledger has at least this number of rows.
   *
   * @param first rows that it will have by itself, which are waited for: jobs have run before their
   *     ends are in the ledger
   */
  void fill(long rows, long first) throws SQLException, InterruptedException {
    // Otherwise MySQL keeps the tracker from adding rows while it copies.
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
    long present = awaitRows(first);
    long last = number("SELECT MAX(id) FROM jt_history");
    long lastDead = number("SELECT COALESCE(MAX(id), 0) FROM jt_dead");
    long lastMinute = number("SELECT MAX(minute_at) FROM jt_minute_count");
    long shift = STEP_MILLIS;
    while (present < rows) {
      long copied = copy("jt_history", "id", last, shift, rows - present);
      if (copied == 0) {
        throw new IllegalStateException("the ledger has no rows to copy");
      }
      copy("jt_dead", "id", lastDead, shift, rows);
      copy("jt_minute_count", "minute_at", lastMinute, shift, rows);
      present += copied;
      shift *= 2;
      progress.accept(present + " rows of the ledger");
    }
    refreshStatistics();
  }

  /**
   * Copies rows to an earlier time, the latest first.
   *
   * @param last what comes later in this order is left out: the tracker adds rows meanwhile, whose
   *     copies could be those of others
   * @param most of rows that are copied
   * @return the number of rows that were copied
   */
  private long copy(String table, String order, long last, long shift, long most)
      throws SQLException {
    List<String> columns = columns(table);
    List<String> values = columns.stream().map(column -> value(column, shift)).toList();
    String text =
        "INSERT INTO %s (%s) SELECT %s FROM %s WHERE %s <= ? ORDER BY %s DESC LIMIT ?"
            .formatted(
                table, String.join(", ", columns), String.join(", ", values), table, order, order);
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      statement.setLong(1, last);
      statement.setLong(2, most);
      return statement.executeLargeUpdate();
    }
  }

  private static String value(String column, long shift) {
    if (column.equals("id")) {
      return "id - " + (shift << TIME_SHIFT);
    }
    return INSTANTS.contains(column)
        ? "CASE WHEN %s > 0 THEN %s - %d ELSE %s END".formatted(column, column, shift, column)
        : column;
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

  private long awaitRows(long least) throws SQLException, InterruptedException {
    long deadline = WallClock.nanoTime() + ENDS_ARE_WRITTEN.toNanos();
    while (true) {
      long present = number("SELECT COUNT(*) FROM jt_history");
      if (present >= least) {
        return present;
      }
      if (WallClock.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "the ledger has %d rows of %d after %s".formatted(present, least, ENDS_ARE_WRITTEN));
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
    }
  }

  private long number(String text) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(text);
        ResultSet rows = statement.executeQuery()) {
      if (!rows.next()) {
        throw new IllegalStateException(text + " has no row");
      }
      return rows.getLong(1);
    }
  }

  /** A database that grew in a minute plans by what it knew before. */
  private void refreshStatistics() throws SQLException {
    boolean isH2 = connection.getMetaData().getDatabaseProductName().equals("H2");
    String text = isH2 ? "ANALYZE" : "ANALYZE TABLE jt_history, jt_dead, jt_minute_count";
    try (PreparedStatement statement = connection.prepareStatement(text)) {
      statement.execute();
    }
  }
}
