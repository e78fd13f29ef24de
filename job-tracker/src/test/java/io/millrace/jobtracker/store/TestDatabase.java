package io.millrace.jobtracker.store;

import io.millrace.jobtracker.store.jdbc.JdbcStores;
import io.millrace.jobtracker.store.jdbc.StoreConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A database of its own for a test, with the tables in it and no rows; closing it drops it.
 *
 * <pre>{@code
 * try (TestDatabase database = TestDatabase.h2()) {
 *   Stores stores = database.stores();
 *   ...
 * }
 * }</pre>
 */
public final class TestDatabase implements AutoCloseable {

  /** The databases that every store is held to. */
  public enum Kind {
    H2,
    MARIADB;

    /** A new database with the tables in it. */
    public TestDatabase open() {
      return openEmpty().withTables();
    }

    /** A new database without tables. */
    public TestDatabase openEmpty() {
      return switch (this) {
        case H2 -> emptyH2();
        case MARIADB -> emptyMariaDb();
      };
    }
  }

  private static final AtomicInteger OPENED = new AtomicInteger();
  private static final int POOL_SIZE = 4;

  private final Kind kind;
  private final StoreConfig config;
  private final String closingStatement;
  private final Queue<JdbcStores> opened = new ConcurrentLinkedQueue<>();
  private Stores stores;

  private TestDatabase(Kind kind, String url, String username, String closingStatement) {
    this.kind = kind;
    this.config =
        new StoreConfig(url, username, "", POOL_SIZE, StoreConfig.DEFAULT_CONNECTION_TIMEOUT);
    this.closingStatement = closingStatement;
  }

  /** H2 in memory. */
  public static TestDatabase h2() {
    return Kind.H2.open();
  }

  private static TestDatabase emptyH2() {
    return new TestDatabase(
        Kind.H2,
        "jdbc:h2:mem:" + nextName() + ";DB_CLOSE_DELAY=-1;TIME ZONE=-05:30",
        "sa",
        "SHUTDOWN");
  }

  /** H2 in files of this directory, which stay. */
  public static TestDatabase h2(Path directory) {
    String url = "jdbc:h2:file:" + directory.resolve("store").toAbsolutePath();
    return new TestDatabase(Kind.H2, url, "sa", "SHUTDOWN").withTables();
  }

  /** A MariaDB server, started when first asked for and shared by the tests of this JVM. */
  public static TestDatabase mariaDb() {
    return Kind.MARIADB.open();
  }

  private static TestDatabase emptyMariaDb() {
    String name = nextName();
    MariaDbServer server = MariaDbServer.running();
    run(server.url("mysql"), "root", "CREATE DATABASE " + name);
    return new TestDatabase(Kind.MARIADB, server.url(name), "root", "DROP DATABASE " + name);
  }

  private TestDatabase withTables() {
    stores();
    return this;
  }

  private static String nextName() {
    return "millrace_" + OPENED.incrementAndGet();
  }

  public Kind kind() {
    return kind;
  }

  /** What a tracker's configuration would say to reach it. */
  public StoreConfig config() {
    return config;
  }

  /** The stores over it. */
  public synchronized Stores stores() {
    if (stores == null) {
      stores = anotherTracker();
    }
    return stores;
  }

  /** Stores over connections of their own, as another tracker has them. */
  public Stores anotherTracker() {
    JdbcStores another = JdbcStores.open(config);
    opened.add(another);
    return another.stores();
  }

  /** A connection of its own, which commits by itself. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(config.url(), config.username(), config.password());
  }

  /** Runs a statement past the stores. */
  public void execute(String sql) {
    run(config.url(), config.username(), sql);
  }

  /** The first column of a query past the stores. */
  public List<String> query(String sql) {
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

  /** How many rows a table has, seen past the stores. */
  public long count(String table) {
    return Long.parseLong(query("SELECT COUNT(*) FROM " + table).get(0));
  }

  /** How many sessions other than the asking one are in the middle of a statement right now. */
  public long busySessions() {
    String sql =
        switch (kind) {
          case H2 ->
              "SELECT COUNT(*) FROM information_schema.sessions"
                  + " WHERE executing_statement IS NOT NULL AND session_id <> SESSION_ID()";
          case MARIADB ->
              "SELECT COUNT(*) FROM information_schema.processlist"
                  + " WHERE command IN ('Query', 'Execute') AND db = DATABASE() AND id <> CONNECTION_ID()";
        };
    return Long.parseLong(query(sql).get(0));
  }

  /** Breaks every connection the stores have, as a restart of the database would. */
  public void breakConnections() {
    switch (kind) {
      case H2 ->
          execute(
              "SELECT ABORT_SESSION(session_id) FROM information_schema.sessions"
                  + " WHERE session_id <> SESSION_ID()");
      case MARIADB ->
          query(
                  "SELECT id FROM information_schema.processlist"
                      + " WHERE db = DATABASE() AND id <> CONNECTION_ID()")
              .forEach(id -> execute("KILL " + id));
    }
  }

  @Override
  public void close() {
    execute(closingStatement);
    opened.forEach(JdbcStores::close);
  }

  private static void run(String url, String username, String sql) {
    try (Connection connection = DriverManager.getConnection(url, username, "");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  @Override
  public String toString() {
    return kind.name();
  }
}
