package io.millrace.jobclient.internal.relay;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The databases that are supported. They differ in the clock and in the types of two columns. */
public enum DatabaseKind {
  /** MySQL and MariaDB. */
  MYSQL(
      "enqueue-mysql.sql", "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)"),
  POSTGRESQL(
      "enqueue-standard.sql",
      "CAST(FLOOR(EXTRACT(EPOCH FROM CLOCK_TIMESTAMP()) * 1000) AS BIGINT)"),
  H2("enqueue-standard.sql", "CAST(FLOOR(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP) * 1000) AS BIGINT)");

  private final String script;
  private final String nowMillis;

  DatabaseKind(String script, String nowMillis) {
    this.script = script;
    this.nowMillis = nowMillis;
  }

  /**
   * Returns the kind of the database of a connection, by the name that its driver reports.
   *
   * @throws SQLException if the driver fails
   * @throws IllegalStateException if the database is not supported
   */
  public static DatabaseKind of(Connection connection) throws SQLException {
    String name = connection.getMetaData().getDatabaseProductName();
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "mysql", "mariadb" -> MYSQL;
      case "postgresql" -> POSTGRESQL;
      case "h2" -> H2;
      default ->
          throw new IllegalStateException(
              "jobs can be enqueued in MySQL, MariaDB, PostgreSQL and H2, not in " + name);
    };
  }

  /** Returns the name of the script that creates the tables. */
  String script() {
    return script;
  }

  /** Returns an expression for the clock of the database in epoch milliseconds. */
  String nowMillis() {
    return nowMillis;
  }
}
