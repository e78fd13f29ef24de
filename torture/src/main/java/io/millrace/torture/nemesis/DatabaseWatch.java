package io.millrace.torture.nemesis;

import io.millrace.common.time.Clock;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sees when a node of the database stands still by itself: when a row in a table of the watch's own
 * is not written in time, past every wire. Such a time is put on record as a stall of the node.
 * Used by one thread.
 */
public final class DatabaseWatch implements AutoCloseable {
  private static final long PAUSE_MILLIS = 200;

  private final String url;
  private final String user;
  private final Victim victim;
  private final Duration shortest;
  private final Clock clock;
  private final FaultLog log;
  private final Consumer<String> teller;
  private @Nullable Connection open;
  private boolean isTableMade;

  /**
   * @param url of the node, past every wire
   * @param number of the node, from 1
   * @param shortest what takes less is nothing
   */
  public DatabaseWatch(
      String url,
      String user,
      int number,
      Duration shortest,
      Clock clock,
      FaultLog log,
      Consumer<String> teller) {
    this.url = url;
    this.user = user;
    this.victim = new Victim(Victim.Part.DATABASE, number);
    this.shortest = shortest;
    this.clock = clock;
    this.log = log;
    this.teller = teller;
  }

  /** Rests, writes, and puts on record if that took too long; what fails is tried again later. */
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
        teller.accept(victim + " took " + took + " ms to write a row");
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
        // Then there is nothing to be closed.
      }
    }
  }
}
