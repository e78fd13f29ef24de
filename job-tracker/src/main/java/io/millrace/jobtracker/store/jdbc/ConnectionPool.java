package io.millrace.jobtracker.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.jobtracker.store.StoreException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** The pool of connections to the database. */
final class ConnectionPool {
  private ConnectionPool() {}

  /**
   * Opens the pool and its first connection. Auto-commit is off, which saves two round trips a
   * transaction, and right because no store runs a statement outside one.
   */
  static HikariDataSource open(StoreConfig config, Dialect dialect, MeterRegistry meters) {
    HikariConfig pool = new HikariConfig();
    pool.setPoolName("millrace-store");
    pool.setJdbcUrl(config.effectiveUrl());
    pool.setUsername(config.username());
    pool.setPassword(config.password());
    pool.setMaximumPoolSize(config.poolSize());
    pool.setConnectionTimeout(config.connectionTimeout().toMillis());
    pool.setMetricRegistry(meters);
    pool.setAutoCommit(false);
    pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    pool.setExceptionOverride(evictingLost(dialect));
    driverProperties(config, dialect).forEach(pool::addDataSourceProperty);
    dialect.connectionInitSql().ifPresent(pool::setConnectionInitSql);
    try {
      return new HikariDataSource(pool);
    } catch (PoolInitializationException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new StoreException(
          "cannot connect to " + config.printableUrl() + ": " + cause.getMessage(), e);
    }
  }

  /** A driver obeys its properties rather than its URL; here the URL goes before. */
  static Map<String, String> driverProperties(StoreConfig config, Dialect dialect) {
    Map<String, String> properties = new HashMap<>(dialect.driverProperties());
    properties.keySet().removeIf(config::setsInUrl);
    return properties;
  }

  /** Hikari does not know by itself which errors of H2 a connection does not survive. */
  private static SQLExceptionOverride evictingLost(Dialect dialect) {
    return new SQLExceptionOverride() {
      @java.lang.Override
      public Override adjudicate(SQLException error) {
        return dialect.isConnectionLost(error) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
      }
    };
  }
}
