package io.millrace.jobtracker.store;

import io.millrace.jobtracker.store.jdbc.JdbcStores;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

  /** The databases that every store is held to; {@link EveryDatabase} says when to which. */
  public enum Kind {
    H2,
    MARIADB,
    /** The server that {@link NamedServer} knows. */
    NAMED;

    /** That of this run: the named one, or else a MariaDB that the tests of a JVM share. */
    public static Kind server() {
      return NamedServer.isNamed() ? NAMED : MARIADB;
    }

    /** Whether it is a server that is spoken to in the words of MySQL. */
    public boolean isServer() {
      return this != H2;
    }

    /** What stands in FROM for rows whose column {@code x} counts from 1. */
    public String numbers(int count) {
      if (this == H2) {
        return "SYSTEM_RANGE(1, " + count + ")";
      }
      StringBuilder value = new StringBuilder("1");
      StringBuilder digits = new StringBuilder();
      for (int place = 1; place <= count; place *= 10) {
        String digit = "digit_" + place;
        value.append(" + ").append(place).append(" * ").append(digit).append(".value");
        digits
            .append(digits.isEmpty() ? "" : " CROSS JOIN ")
            .append(DIGITS)
            .append(" AS ")
            .append(digit);
      }
      return "(SELECT %s AS x FROM %s WHERE %s <= %d) AS numbers"
          .formatted(value, digits, value, count);
    }

    /** A new database with the tables in it. */
    public TestDatabase open() {
      TestDatabase database = openEmpty();
      if (isServer()) {
        TablesOfServer.of(this).createIn(database);
      }
      return database.withTables();
    }

    /** A new database without tables. */
    public TestDatabase openEmpty() {
      return switch (this) {
        case H2 -> emptyH2();
        case MARIADB, NAMED -> emptyOn(this);
      };
    }
  }

  /** Another run on the same server has other names, and so has one that was broken off before. */
  private static final String RUN = UUID.randomUUID().toString().substring(0, 8);

  private static final String DIGITS =
      IntStream.range(1, 10)
          .mapToObj(digit -> " UNION ALL SELECT " + digit)
          .collect(Collectors.joining("", "(SELECT 0 AS value", ")"));

  private static final AtomicInteger OPENED = new AtomicInteger();
  private static final int POOL_SIZE = 4;

  private final Kind kind;
  private final StoreConfig config;
  private final String closingStatement;
  private final Queue<JdbcStores> opened = new ConcurrentLinkedQueue<>();
  private Stores stores;

  private TestDatabase(
      Kind kind, String url, String username, String password, String closingStatement) {
    this.kind = kind;
    this.config =
        new StoreConfig(url, username, password, POOL_SIZE, StoreConfig.DEFAULT_CONNECTION_TIMEOUT);
    this.closingStatement = closingStatement;
  }

  /** H2 in memory. */
  public static TestDatabase h2() {
    return Kind.H2.open();
  }

  private static TestDatabase emptyH2() {
    return new TestDatabase(
        Kind.H2,
        "jdbc:h2:mem:"
            + nextName()
            + ";DB_CLOSE_DELAY=-1;OPTIMIZE_REUSE_RESULTS=FALSE;TIME ZONE=-05:30",
        "sa",
        "",
        "SHUTDOWN");
  }

  /** H2 in files of this directory, which stay. */
  public static TestDatabase h2(Path directory) {
    String url = "jdbc:h2:file:" + directory.resolve("store").toAbsolutePath();
    return new TestDatabase(Kind.H2, url, "sa", "", "SHUTDOWN").withTables();
  }

  /** For what needs to run on one database only: H2 in memory, or the named server. */
  public static TestDatabase ofThisRun() {
    return (NamedServer.isNamed() ? Kind.NAMED : Kind.H2).open();
  }

  /** On the server of this run. */
  public static TestDatabase onServer() {
    return Kind.server().open();
  }

  private static TestDatabase emptyOn(Kind server) {
    boolean named = server == Kind.NAMED;
    String username = named ? NamedServer.username() : "root";
    String password = named ? NamedServer.password() : "";
    String name = nextName();
    run(url(server, "mysql"), username, password, List.of("CREATE DATABASE " + name));
    return new TestDatabase(server, url(server, name), username, password, "DROP DATABASE " + name);
  }

  private static String url(Kind server, String database) {
    return server == Kind.NAMED ? NamedServer.url(database) : MariaDbServer.running().url(database);
  }

  private TestDatabase withTables() {
    stores();
    return this;
  }

  private static String nextName() {
    return "millrace_" + RUN + "_" + OPENED.incrementAndGet();
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
    return connect(Map.of());
  }

  /** The same with properties of its driver. */
  public Connection connect(Map<String, String> driverProperties) throws SQLException {
    Properties properties = new Properties();
    properties.putAll(driverProperties);
    properties.put("user", config.username());
    properties.put("password", config.password());
    return DriverManager.getConnection(config.url(), properties);
  }

  /** Runs a statement past the stores. */
  public void execute(String sql) {
    executeAll(List.of(sql));
  }

  /** Runs statements past the stores, over one connection. */
  public void executeAll(List<String> statements) {
    run(config.url(), config.username(), config.password(), statements);
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
          case MARIADB, NAMED ->
              "SELECT COUNT(*) FROM "
                  + sessionsOfServer()
                  + " WHERE command IN ('Query', 'Execute') AND db = DATABASE() AND id <> CONNECTION_ID()";
        };
    return Long.parseLong(query(sql).get(0));
  }

  /**
   * MySQL's own list of processes has their statements too, in three bytes a character, and fails
   * as long as a session, another test's as well, runs one with a character of four bytes.
   */
  private String sessionsOfServer() {
    return query("SELECT VERSION()").get(0).contains("MariaDB")
        ? "information_schema.processlist"
        : "(SELECT processlist_id AS id, processlist_command AS command, processlist_db AS db"
            + " FROM performance_schema.threads WHERE processlist_id IS NOT NULL) AS sessions";
  }

  /** Breaks every connection the stores have, as a restart of the database would. */
  public void breakConnections() {
    switch (kind) {
      case H2 ->
          execute(
              "SELECT ABORT_SESSION(session_id) FROM information_schema.sessions"
                  + " WHERE session_id <> SESSION_ID()");
      case MARIADB, NAMED ->
          query(
                  "SELECT id FROM "
                      + sessionsOfServer()
                      + " WHERE db = DATABASE() AND id <> CONNECTION_ID()")
              .forEach(id -> execute("KILL " + id));
    }
  }

  @Override
  public void close() {
    execute(closingStatement);
    opened.forEach(JdbcStores::close);
  }

  private static void run(String url, String username, String password, List<String> statements) {
    String running = "a connection";
    try (Connection connection = DriverManager.getConnection(url, username, password);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        running = sql;
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(running, e);
    }
  }

  @Override
  public String toString() {
    return kind.name();
  }
}
