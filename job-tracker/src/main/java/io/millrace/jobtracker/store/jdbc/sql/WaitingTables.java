package io.millrace.jobtracker.store.jdbc.sql;

import io.millrace.jobtracker.store.failure.StoreException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.init.ScriptException;

/** Creates, upgrades, renames and drops waiting tables. */
public final class WaitingTables {

  /** The current version of the template. */
  public static final int SCHEMA_VERSION = 5;

  /** The column that identifies each version of a table: the last one added. */
  private static final Map<Integer, String> LAST_COLUMN_OF =
      Map.of(2, "submitted_by", 3, "replay_of", 4, "next_at", 5, "lane");

  private static final int MAX_ATTEMPTS = 20;

  /**
   * Serialises upgrades: H2 runs in one process, and its statements that change one table keep
   * making each other fail.
   */
  public static final Object UPGRADE = new Object();

  private static final Logger log = LoggerFactory.getLogger(WaitingTables.class);

  private final DataSource dataSource;
  private final Dialect dialect;
  private final SchemaScripts scripts;

  public WaitingTables(DataSource dataSource, Dialect dialect) {
    this.dataSource = dataSource;
    this.dialect = dialect;
    this.scripts = new SchemaScripts(dialect);
  }

  /**
   * Creates the table unless it exists; brings it back if it is set aside. Commits by itself, as
   * data definition does, so it must not be called inside a transaction. Several trackers may do
   * this at the same time: H2 looks for an index before it locks the table, so that IF NOT EXISTS
   * may fail; a second attempt finds what the other tracker created.
   */
  public void create(WaitingTableName table) {
    bringBack(table);
    try {
      run(table, scripts.waitingTable());
    } catch (StoreException e) {
      log.debug("another tracker may be creating {}", table, e);
      run(table, scripts.waitingTable());
    }
  }

  /**
   * Gives the table a name that no tracker uses. When this method returns, every transaction that
   * has written to the table has ended, and further statements on it fail.
   *
   * @throws StoreException also if a transaction runs for longer than some seconds; the table may
   *     be set aside nevertheless
   */
  public void setAside(WaitingTableName table) {
    run(table, dialect.renames(table.toString(), table.setAside()));
  }

  public boolean isSetAside(WaitingTableName table) {
    return exists(table, table.setAside());
  }

  /** Restores the table's name if it was set aside, unless another table has that name. */
  public void bringBack(WaitingTableName table) {
    if (!isSetAside(table) || exists(table, table.toString())) {
      return;
    }
    try {
      run(table, dialect.renames(table.setAside(), table.toString()));
      log.info("restored {}, which had been set aside", table);
    } catch (StoreException e) {
      if (isSetAside(table) && !exists(table, table.toString())) {
        throw e;
      }
      log.debug("another tracker has restored or dropped {}", table, e);
    }
  }

  public void dropSetAside(WaitingTableName table) {
    run(table, "DROP TABLE IF EXISTS " + table.setAside());
  }

  private boolean exists(WaitingTableName table, String name) {
    return isReadable(table, "SELECT 1 FROM " + name + " WHERE 1 = 0");
  }

  /** Tries an empty select, which works alike on all databases. */
  private boolean isReadable(WaitingTableName table, String select) {
    try {
      run(table, select);
      return true;
    } catch (StoreException absent) {
      return false;
    }
  }

  /**
   * Upgrades a table from an older version to the current one, one version at a time. Columns are
   * only added, so trackers of the older version continue to work. Several trackers may do this at
   * the same time: a statement that fails because another tracker is upgrading, or has upgraded, is
   * repeated until the column exists.
   */
  public void upgrade(WaitingTableName table, int fromVersion) {
    synchronized (UPGRADE) {
      upgradeAlone(table, fromVersion);
    }
  }

  private void upgradeAlone(WaitingTableName table, int fromVersion) {
    for (int version = fromVersion + 1; version <= SCHEMA_VERSION; version++) {
      String script = scripts.waitingTableUpgrade(version);
      for (int attempt = 1; !hasColumn(table, LAST_COLUMN_OF.get(version)); attempt++) {
        try {
          run(table, script);
          log.info("upgraded {} to version {}", table, version);
        } catch (StoreException e) {
          if (attempt == MAX_ATTEMPTS) {
            throw e;
          }
          log.debug("another tracker is upgrading {} to version {}", table, version, e);
        }
      }
    }
  }

  private boolean hasColumn(WaitingTableName table, @Nullable String column) {
    return isReadable(table, "SELECT " + column + " FROM ${table} WHERE 1 = 0");
  }

  private void run(WaitingTableName table, String text) {
    String script = text.replace("${table}", table.toString());
    ResourceDatabasePopulator populator =
        new ResourceDatabasePopulator(
            new ByteArrayResource(script.getBytes(StandardCharsets.UTF_8), "script of " + table));
    try (Connection connection = dataSource.getConnection()) {
      Optional<WriterLock> writerLock = dialect.writerLock(connection, false);
      writerLock.ifPresent(WriterLock::lock);
      try {
        populator.populate(connection);
      } finally {
        writerLock.ifPresent(WriterLock::unlock);
      }
    } catch (ScriptException | SQLException e) {
      throw new StoreException("a script for " + table + " failed: " + e.getMessage(), e);
    }
  }
}
