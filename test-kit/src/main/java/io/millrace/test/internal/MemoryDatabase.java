package io.millrace.test.internal;

import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** A database in memory that lives until it is closed. Thread-safe. */
final class MemoryDatabase implements AutoCloseable {
  private static final AtomicInteger OPENED = new AtomicInteger();
  private static final String USER = "sa";
  private static final int CONNECTIONS = 3;

  /** Keeps the database alive: H2 drops it with the last connection. */
  private final Connection lifeline;

  private final JdbcStores stores;

  private MemoryDatabase(Connection lifeline, JdbcStores stores) {
    this.lifeline = lifeline;
    this.stores = stores;
  }

  static MemoryDatabase open() {
    String url = "jdbc:h2:mem:millrace-test-" + OPENED.incrementAndGet();
    try {
      Connection lifeline = DriverManager.getConnection(url, USER, "");
      return new MemoryDatabase(
          lifeline,
          JdbcStores.open(
              new StoreConfig(url, USER, "", CONNECTIONS, StoreConfig.DEFAULT_CONNECTION_TIMEOUT)));
    } catch (SQLException failure) {
      throw new IllegalStateException("cannot open a database in memory: " + url, failure);
    }
  }

  Stores stores() {
    return stores.stores();
  }

  @Override
  public void close() {
    stores.close();
    try {
      lifeline.close();
    } catch (SQLException failure) {
      throw new IllegalStateException("cannot close the database of this test", failure);
    }
  }
}
