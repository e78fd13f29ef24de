package io.millrace.jobtracker.store.jdbc.connect;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pool of connections to the database, and the handling of a connection after an error. */
public final class ConnectionPool implements SQLExceptionOverride {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionPool.class);

  private final Dialect dialect;
  private final StoreConnections connections;
  private volatile @Nullable HikariDataSource pool;

  private ConnectionPool(Dialect dialect, StoreConnections connections) {
    this.dialect = dialect;
    this.connections = connections;
  }

  /**
   * Opens the pool and its first connection. Auto-commit is off, which saves two round trips per
   * transaction; this is safe because no store runs a statement outside a transaction.
   */
  public static HikariDataSource open(StoreConfig config, Dialect dialect, MeterRegistry meters) {
    ConnectionPool errors = new ConnectionPool(dialect, StoreConnections.ofStores(config));
    HikariConfig settings = new HikariConfig();
    settings.setPoolName("millrace-store");
    settings.setDataSource(errors.connections);
    settings.setMaximumPoolSize(config.poolSize());
    settings.setConnectionTimeout(config.connectionTimeout().toMillis());
    settings.setMetricRegistry(meters);
    settings.setAutoCommit(false);
    settings.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    settings.setExceptionOverride(errors);
    try {
      HikariDataSource pool = new HikariDataSource(settings);
      errors.pool = pool;
      return pool;
    } catch (PoolInitializationException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new StoreException(
          "cannot connect to " + config.printableUrl() + ": " + cause.getMessage(), e);
    }
  }

  /**
   * Reports to Hikari which errors a connection does not survive. An evicted connection runs no
   * further statement, not even in the transaction in which the error occurred.
   */
  @java.lang.Override
  public Override adjudicate(SQLException error) {
    if (dialect.isOutOfStatements(error)) {
      keepNoStatements(error);
      return Override.MUST_EVICT;
    }
    return dialect.isConnectionLost(error) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
  }

  /** Replaces all connections; those in use are replaced when they are returned. */
  private void keepNoStatements(SQLException error) {
    if (connections.keepNoStatements()) {
      LOG.warn(
          "store: the server has reached its limit of prepared statements; further statements"
              + " are sent as text: {}",
          error.getMessage());
    }
    HikariDataSource open = pool;
    if (open != null) {
      open.getHikariPoolMXBean().softEvictConnections();
    }
  }
}
