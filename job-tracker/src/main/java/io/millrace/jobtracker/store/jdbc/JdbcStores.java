package io.millrace.jobtracker.store.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.SystemClock;
import io.millrace.jobtracker.store.StoreHealth;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.console.ConsoleStores;
import io.millrace.jobtracker.store.console.FleetStores;
import io.millrace.jobtracker.store.jdbc.batch.JdbcBatchStore;
import io.millrace.jobtracker.store.jdbc.batch.JdbcBatchViewStore;
import io.millrace.jobtracker.store.jdbc.batch.JdbcPartStore;
import io.millrace.jobtracker.store.jdbc.batch.JdbcRunStore;
import io.millrace.jobtracker.store.jdbc.bulk.JdbcBulkChangeStore;
import io.millrace.jobtracker.store.jdbc.connect.ConnectionPool;
import io.millrace.jobtracker.store.jdbc.connect.Database;
import io.millrace.jobtracker.store.jdbc.connect.JdbcTransactions;
import io.millrace.jobtracker.store.jdbc.connect.RetryPause;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConnections;
import io.millrace.jobtracker.store.jdbc.connect.StoreWatch;
import io.millrace.jobtracker.store.jdbc.connect.WatchedJdbcTemplate;
import io.millrace.jobtracker.store.jdbc.count.JdbcListCounts;
import io.millrace.jobtracker.store.jdbc.declared.JdbcDeclaredStore;
import io.millrace.jobtracker.store.jdbc.h2.FileCompaction;
import io.millrace.jobtracker.store.jdbc.kept.JdbcKeptStore;
import io.millrace.jobtracker.store.jdbc.lane.JdbcLaneStore;
import io.millrace.jobtracker.store.jdbc.relay.JdbcRelayStore;
import io.millrace.jobtracker.store.jdbc.result.JdbcJobResultStore;
import io.millrace.jobtracker.store.jdbc.schema.Migrations;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import io.millrace.jobtracker.store.jdbc.sql.WaitingTables;
import io.millrace.jobtracker.store.jdbc.version.JdbcJobVersionStore;
import javax.sql.DataSource;

/** Opens the stores over a database and upgrades its tables. Thread-safe. */
public final class JdbcStores implements AutoCloseable {
  private final Stores stores;
  private final StoreHealth health;
  private final FileCompaction compaction;
  private final Runnable closing;

  private JdbcStores(
      DataSource dataSource,
      Dialect dialect,
      RetryPause pause,
      StoreWatch watch,
      Runnable closing) {
    this.stores = stores(dataSource, dialect, pause, watch);
    this.health = watch;
    this.compaction = new FileCompaction(dataSource, dialect);
    this.closing = closing;
  }

  /** As {@link #open(StoreConfig, Clock, MeterRegistry)}, with meters that are not published. */
  public static JdbcStores open(StoreConfig config) {
    return open(config, new SystemClock(), new SimpleMeterRegistry());
  }

  /**
   * Opens a database with a pool of connections, which {@link #close} closes.
   *
   * @param clock measures how long the database has not answered
   * @param meters the registry that counts transactions and connections
   * @throws io.millrace.jobtracker.store.failure.StoreException if it cannot be reached or migrated
   */
  public static JdbcStores open(StoreConfig config, Clock clock, MeterRegistry meters) {
    Dialect dialect = config.dialect();
    HikariDataSource pool = ConnectionPool.open(config, dialect, meters);
    try {
      // Does not use the pool: a migration may take longer than the pool allows a statement.
      RetryPause pause = RetryPause.sleeping();
      Migrations.run(StoreConnections.ofMigrations(config), dialect, pause);
      return new JdbcStores(pool, dialect, pause, new StoreWatch(clock, meters), pool::close);
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  /** As {@link #over(DataSource, Dialect, RetryPause)}, sleeping between attempts. */
  public static JdbcStores over(DataSource dataSource, Dialect dialect) {
    return over(dataSource, dialect, RetryPause.sleeping());
  }

  /**
   * Uses a data source that the caller keeps and closes. Starts no thread.
   *
   * @throws io.millrace.jobtracker.store.failure.StoreException if it cannot be reached or migrated
   */
  public static JdbcStores over(DataSource dataSource, Dialect dialect, RetryPause pause) {
    Migrations.run(dataSource, dialect, pause);
    StoreWatch watch = new StoreWatch(new SystemClock(), new SimpleMeterRegistry());
    return new JdbcStores(dataSource, dialect, pause, watch, () -> {});
  }

  public Stores stores() {
    return stores;
  }

  /** Whether the database answers. */
  public StoreHealth health() {
    return health;
  }

  /** Keeps the file of an embedded database small; does nothing for any other database. */
  public FileCompaction compaction() {
    return compaction;
  }

  /** Closes what {@link #open} opened. Harmless when repeated. */
  @Override
  public void close() {
    closing.run();
  }

  private static Stores stores(
      DataSource dataSource, Dialect dialect, RetryPause pause, StoreWatch watch) {
    JdbcTransactions transactions = new JdbcTransactions(dataSource, dialect, pause, watch);
    Database database =
        new Database(
            new WatchedJdbcTemplate(dataSource, watch, transactions), dialect, transactions);
    JdbcNodeGroupStore nodeGroups =
        new JdbcNodeGroupStore(database, new WaitingTables(dataSource, dialect));
    nodeGroups.upgradeTables();
    JdbcTrackerStore trackers = new JdbcTrackerStore(database);
    return new Stores(
        transactions,
        new JdbcJobStore(database),
        new JdbcJobVersionStore(database),
        new JdbcDeclaredStore(database),
        new JdbcWaitingStore(database),
        new JdbcLaneStore(database),
        new JdbcExecutingStore(database),
        new JdbcRunStore(database),
        new JdbcBatchStore(database),
        new JdbcPartStore(database),
        new JdbcBatchViewStore(database),
        new JdbcOneShotStore(database),
        new JdbcLedgerStore(database),
        new JdbcJobResultStore(database),
        new JdbcDeadStore(database),
        new JdbcKeptStore(database),
        new JdbcKnownJobStore(database),
        new JdbcFeedbackStore(database),
        new JdbcJobLogStore(database),
        new JdbcRelayStore(database),
        nodeGroups,
        trackers,
        trackers::live,
        database::now,
        new JdbcListCounts(database),
        new ConsoleStores(
            new JdbcOperatorStore(database),
            new JdbcAuditStore(database),
            new JdbcBulkChangeStore(database),
            new FleetStores(
                new JdbcWorkerStore(database),
                new JdbcGroupLoadStore(database),
                new JdbcMinuteCountStore(database))));
  }
}
