package io.millrace.jobtracker.store.jdbc.connect;

import io.millrace.jobtracker.store.jdbc.h2.DatabaseFiles;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Opens connections to the configured database, prepared as its dialect requires. Thread-safe. */
public final class StoreConnections extends DriverManagerDataSource {
  private static final Logger LOG = LoggerFactory.getLogger(StoreConnections.class);
  private static final String SERVER_KEEPS_STATEMENTS = "useServerPrepStmts";

  private final Dialect dialect;
  private final List<String> preparations;
  private final List<String> attempts;
  private final int hosts;
  private final Properties properties = new Properties();
  private final Optional<DatabaseFiles> files;
  private final boolean mayMake;
  private final AtomicBoolean restricted = new AtomicBoolean();

  private StoreConnections(
      String url, StoreConfig config, Map<String, String> properties, List<String> preparations) {
    super(url, config.username(), config.password());
    this.dialect = config.dialect();
    this.preparations = preparations;
    this.attempts =
        dialect.clusterSettings().entrySet().stream()
            .filter(setting -> !config.mentions(setting.getKey()))
            .map(Map.Entry::getValue)
            .toList();
    this.hosts = config.hosts();
    this.properties.putAll(properties);
    setConnectionProperties(this.properties);
    this.files = DatabaseFiles.of(url);
    this.mayMake = !url.toUpperCase(Locale.ROOT).contains(";IFEXISTS=TRUE");
  }

  /**
   * Returns connections for the statements of stores, none of which takes longer than the driver's
   * time-outs.
   */
  public static StoreConnections ofStores(StoreConfig config) {
    Dialect dialect = config.dialect();
    List<String> preparations =
        Stream.of(dialect.connectionInitSql(), dialect.readinessCheck())
            .flatMap(Optional::stream)
            .toList();
    return new StoreConnections(
        config.effectiveUrl(), config, driverProperties(config), preparations);
  }

  /**
   * Returns connections for migrations, which may take long: without the dialect's driver
   * time-outs.
   */
  public static StoreConnections ofMigrations(StoreConfig config) {
    Dialect dialect = config.dialect();
    Map<String, String> properties = driverProperties(config);
    properties.keySet().removeAll(dialect.driverTimeouts().keySet());
    return new StoreConnections(
        config.effectiveUrl(), config, properties, dialect.readinessCheck().stream().toList());
  }

  /** Returns connections for inspecting a database; they never create it. */
  public static StoreConnections ofExisting(StoreConfig config) {
    String url = config.effectiveUrl();
    boolean mayMake = url.startsWith("jdbc:h2:") && !config.setsInUrl("IFEXISTS");
    return new StoreConnections(
        mayMake ? url + ";IFEXISTS=TRUE" : url, config, driverProperties(config), List.of());
  }

  /**
   * Returns the driver's properties. A driver prefers its properties to its URL; so settings of the
   * URL are removed from them, except required ones.
   */
  static Map<String, String> driverProperties(StoreConfig config) {
    Dialect dialect = config.dialect();
    Map<String, String> properties = new HashMap<>(dialect.driverProperties());
    properties.putAll(dialect.driverTimeouts());
    properties.keySet().removeIf(config::setsInUrl);
    properties.putAll(dialect.requiredDriverProperties());
    return properties;
  }

  /**
   * Makes new connections use no server-side prepared statements, because the server has too many.
   *
   * @return whether connections used them until now
   */
  boolean keepNoStatements() {
    Object before = properties.put(SERVER_KEEPS_STATEMENTS, "false");
    return !"false".equals(before);
  }

  @Override
  protected Connection getConnectionFromDriver(Properties given) throws SQLException {
    boolean first = files.isPresent() && !restricted.get();
    if (first && mayMake) {
      files.get().prepare();
    }
    Connection opened = super.getConnectionFromDriver(given);
    if (first && restricted.compareAndSet(false, true)) {
      files.get().restrict();
    }
    return prepared(opened);
  }

  /**
   * With several hosts in the URL, the driver moves the connection to the next host after this
   * error; a new connection would begin with the first host again.
   */
  private Connection prepared(Connection connection) throws SQLException {
    for (int tried = 1; ; tried++) {
      try {
        return prepare(connection);
      } catch (SQLException e) {
        if (tried >= hosts || !dialect.isConnectionLost(e)) {
          close(connection, e);
          throw e;
        }
        LOG.debug("this server cannot be used; trying the next server of the URL", e);
      }
    }
  }

  private Connection prepare(Connection opened) throws SQLException {
    Connection connection = dialect.prepare(opened);
    try (Statement statement = connection.createStatement()) {
      for (String sql : preparations) {
        statement.execute(sql);
      }
      for (String sql : attempts) {
        attempt(statement, sql);
      }
    }
    return connection;
  }

  /** Ignores the error of a setting: a server without the setting does not need it. */
  private void attempt(Statement statement, String sql) throws SQLException {
    try {
      statement.execute(sql);
    } catch (SQLException e) {
      if (dialect.isConnectionLost(e)) {
        throw e;
      }
    }
  }

  private static void close(Connection connection, SQLException because) {
    try {
      connection.close();
    } catch (SQLException e) {
      because.addSuppressed(e);
    }
  }

  /**
   * Sets the pool's time limit for opening a connection; the driver supports only one for all
   * connections.
   */
  @Override
  public void setLoginTimeout(int seconds) {
    DriverManager.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() {
    return DriverManager.getLoginTimeout();
  }
}
