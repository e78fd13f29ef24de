package io.millrace.jobtracker.relay;

import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A database of an application, without the tables of a tracker; closing it drops it. */
final class AppDatabase implements AutoCloseable {
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  /** The databases in which applications may enqueue jobs. */
  enum Kind {
    H2,
    SERVER,
    POSTGRESQL;

    /**
     * Those of this run: of trackers' databases as for all tests, and PostgreSQL if it is there.
     */
    static Stream<Kind> all() {
      Stream<Kind> ofTrackers =
          EveryDatabase.Kinds.all().map(kind -> kind.isServer() ? SERVER : H2);
      return PostgresServer.running().isPresent()
          ? Stream.concat(ofTrackers, Stream.of(POSTGRESQL))
          : ofTrackers;
    }

    AppDatabase open() {
      return switch (this) {
        case H2 -> new AppDatabase(TestDatabase.Kind.H2.openEmpty(), null, null);
        case SERVER -> new AppDatabase(TestDatabase.Kind.server().openEmpty(), null, null);
        case POSTGRESQL -> onPostgres(PostgresServer.running().orElseThrow());
      };
    }

    /** A database with the tables of trackers, for the same run; trackers know no PostgreSQL. */
    TestDatabase openForTrackers() {
      return this == SERVER ? TestDatabase.onServer() : TestDatabase.ofThisRun();
    }

    private static AppDatabase onPostgres(PostgresServer server) {
      String name = "app_" + NUMBERS.incrementAndGet();
      run(server.url("postgres"), "CREATE DATABASE " + name);
      return new AppDatabase(null, server, name);
    }
  }

  private final TestDatabase ofTracker;
  private final PostgresServer postgres;
  private final String name;

  private AppDatabase(TestDatabase ofTracker, PostgresServer postgres, String name) {
    this.ofTracker = ofTracker;
    this.postgres = postgres;
    this.name = name;
  }

  Connection connect() throws SQLException {
    return ofTracker == null
        ? DriverManager.getConnection(postgres.url(name))
        : ofTracker.connect();
  }

  void execute(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** The first column of a query. */
  List<String> query(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> column = new ArrayList<>();
      while (rows.next()) {
        column.add(rows.getString(1));
      }
      return column;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  private static void run(String url, String sql) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  @Override
  public void close() {
    if (ofTracker != null) {
      ofTracker.close();
    } else {
      run(postgres.url("postgres"), "DROP DATABASE " + name + " WITH (FORCE)");
    }
  }
}
