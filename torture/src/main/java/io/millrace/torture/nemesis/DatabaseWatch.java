package io.millrace.torture.nemesis;

import io.millrace.internal.time.Clock;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Detects when a node of the database stalls by itself: when a write to a table of the watch,
 * without a proxy, takes too long. Records this time as a stall of the node. Used by one thread.
 */
public final class DatabaseWatch implements AutoCloseable {
  private static final long PAUSE_MILLIS = 200;

  private final String url;
  private final String user;
  private final Victim victim;
  private final Duration shortest;
  private final Clock clock;
  private final FaultLog log;
  private final Consumer<String> reporter;
  private @Nullable Connection open;
  private boolean isTableMade;

  /**
   * @param url the direct URL of the node, without a proxy
   * @param number the number of the node, from 1
   * @param shortest shorter delays are ignored
   */
  public DatabaseWatch(
      String url,
      String user,
      int number,
      Duration shortest,
      Clock clock,
      FaultLog log,
      Consumer<String> reporter) {
    this.url = url;
    this.user = user;
    this.victim = new Victim(Victim.Part.DATABASE, number);
    this.shortest = shortest;
    this.clock = clock;
    this.log = log;
    this.reporter = reporter;
  }

  /** Pauses, writes, and records a stall if that took too long; failures are retried later. */
  public void look() throws InterruptedException {
    Thread.sleep(PAUSE_MILLIS);
    try {
      Connection connection = connection();
      long beganAt = clock.millis();
      long begun = clock.nanoTime();
      write(connection);
      long took = (clock.nanoTime() - begun) / 1_000_000;
      if (took >= shortest.toMillis()) {
        log.add(new Fault(Fault.Kind.STALL, victim, beganAt, beganAt + took));
        reporter.accept(victim + " took " + took + " ms to write a row");
      }
    } catch (SQLException broken) {
      close();
    }
  }

  private Connection connection() throws SQLException {
    Connection connection = open;
    if (connection == null) {
      connection = DriverManager.getConnection(url, user, "");
      open = connection;
    }
    if (!isTableMade) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE SCHEMA IF NOT EXISTS torture");
        statement.execute(
            "CREATE TABLE IF NOT EXISTS torture.watch (node INT PRIMARY KEY, written BIGINT)");
      }
      isTableMade = true;
    }
    return connection;
  }

  private void write(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "REPLACE INTO torture.watch VALUES (%d, %d)".formatted(victim.number(), clock.millis()));
    }
  }

  @Override
  public void close() {
    Connection connection = open;
    open = null;
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException isBroken) {
        // Then nothing needs to be closed.
      }
    }
  }
}
