package io.millrace.jobtracker.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.jdbc.StatementRecorder.Recorded;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What statements cost, asked of the database itself over a connection of its own. */
final class QueryCost implements AutoCloseable {
  private static final Pattern H2_SCANS = Pattern.compile("scanCount: (\\d+)");

  /** MySQL counts the first step into an index, at either end of it, as a key beside. */
  private static final Set<String> MYSQL_READS =
      Set.of("Handler_read_key", "Handler_read_next", "Handler_read_prev", "Handler_read_rnd_next");

  private static final Set<String> MARIADB_READS =
      Set.of(
          "Handler_read_first",
          "Handler_read_key",
          "Handler_read_last",
          "Handler_read_next",
          "Handler_read_prev",
          "Handler_read_rnd_next");

  private final TestDatabase.Kind kind;
  private final Connection connection;
  private final Set<String> reads;

  QueryCost(TestDatabase database) throws SQLException {
    this.kind = database.kind();
    this.connection = database.connect();
    connection.setAutoCommit(false);
    boolean mariaDb = connection.getMetaData().getDatabaseProductVersion().contains("MariaDB");
    this.reads = mariaDb ? MARIADB_READS : MYSQL_READS;
  }

  /** How the database would run it, in lower case; servers say it in a table, not in a tree. */
  String plan(Recorded query) throws SQLException {
    String explanation = kind.isServer() ? "EXPLAIN FORMAT = TRADITIONAL" : "EXPLAIN";
    try (PreparedStatement explain = query.prepare(connection, explanation);
        ResultSet rows = explain.executeQuery()) {
      StringBuilder plan = new StringBuilder();
      while (rows.next()) {
        for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
          plan.append(rows.getString(column)).append(' ');
        }
      }
      return plan.toString().toLowerCase(Locale.ROOT);
    }
  }

  void assertDoesNotSort(String plan) {
    switch (kind) {
      case H2 -> assertThat(plan).contains("index sorted");
      case MARIADB, NAMED ->
          assertThat(plan).doesNotContain("filesort").doesNotContain("temporary");
    }
  }

  /** How many rows it reads, of indexes and tables, if it runs again; what it writes is undone. */
  long rowsRead(Recorded query) throws SQLException {
    try {
      return switch (kind) {
        case H2 -> rowsReadByH2(query);
        case MARIADB, NAMED -> rowsReadByServer(query);
      };
    } finally {
      connection.rollback();
    }
  }

  private long rowsReadByH2(Recorded query) throws SQLException {
    try (PreparedStatement explain = query.prepare(connection, "EXPLAIN ANALYZE");
        ResultSet rows = explain.executeQuery()) {
      rows.next();
      Matcher scans = H2_SCANS.matcher(rows.getString(1));
      long read = 0;
      while (scans.find()) {
        read += Long.parseLong(scans.group(1));
      }
      return read;
    }
  }

  /**
   * By the difference of two readings, without what a reading costs itself: FLUSH STATUS would set
   * the counts of all sessions back, other tests' on the same server too.
   */
  private long rowsReadByServer(Recorded query) throws SQLException {
    try (Statement status = connection.createStatement();
        PreparedStatement again = query.prepare(connection, "")) {
      long first = handlerReads(status);
      long before = handlerReads(status);
      again.execute();
      long after = handlerReads(status);
      return (after - before) - (before - first);
    }
  }

  private long handlerReads(Statement status) throws SQLException {
    long read = 0;
    try (ResultSet rows = status.executeQuery("SHOW SESSION STATUS LIKE 'Handler_read%'")) {
      while (rows.next()) {
        read += reads.contains(rows.getString(1)) ? rows.getLong(2) : 0;
      }
    }
    return read;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
