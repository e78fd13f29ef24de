package io.millrace.jobtracker.store.jdbc.schema;

import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import io.millrace.jobtracker.store.jdbc.sql.SchemaScripts;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.api.MigrationInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies migrations, statement by statement. Each statement commits by itself on every database.
 * An interrupted migration therefore restarts from its first statement and skips what exists;
 * several trackers that apply it at the same time do the same.
 */
final class MigrationSteps {
  private static final Logger LOG = LoggerFactory.getLogger(MigrationSteps.class);

  private final Connection connection;
  private final Dialect dialect;
  private final SchemaScripts scripts;

  /**
   * Uses the connection for all statements.
   *
   * @param connection a connection in auto-commit mode
   */
  MigrationSteps(Connection connection, Dialect dialect) {
    this.connection = connection;
    this.dialect = dialect;
    this.scripts = new SchemaScripts(dialect);
  }

  /** Creates the table that records migrations, unless it exists. */
  void makeHistory() throws SQLException {
    executeAll(scripts.history());
  }

  /**
   * Applies a migration; {@link #note} records it.
   *
   * @throws StoreException if a table that existed before does not fit the migration
   */
  void apply(MigrationInfo migration) throws SQLException {
    boolean passedOver = false;
    for (String statement : SchemaScripts.statements(scripts.migration(migration))) {
      passedOver |= !applied(statement);
    }
    if (passedOver) {
      LOG.info(
          "{}: some of its statements had already been applied",
          AppliedMigrations.nameOf(migration));
      requireTables(migration);
    }
  }

  /** Records the migration as applied, unless it is recorded already. */
  void note(MigrationInfo migration) throws SQLException {
    executeAll(scripts.historyRow(migration));
  }

  /** Runs a statement; returns false if what it creates exists. */
  private boolean applied(String statement) throws SQLException {
    try {
      execute(statement);
      return true;
    } catch (SQLException e) {
      if (dialect.isThereAlready(e)) {
        LOG.debug("skipped, because it exists: {}", statement, e);
        return false;
      }
      throw e;
    }
  }

  private void executeAll(String script) throws SQLException {
    for (String statement : SchemaScripts.statements(script)) {
      execute(statement);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** A driver may fail in any way if another tracker changes a table while the driver reads it. */
  private Map<String, TableShape> tables() throws SQLException {
    try {
      return TableShape.read(connection);
    } catch (RuntimeException e) {
      throw new SQLTransientException("tables changed while they were read", e);
    }
  }

  /** Checks the skipped parts: an existing table may differ from the wanted one. */
  private void requireTables(MigrationInfo migration) throws SQLException {
    Map<String, TableShape> there = tables();
    List<String> lacks = new ArrayList<>();
    ScratchDatabase.tablesUpTo(migration)
        .forEach((table, wanted) -> lacks.addAll(TableShape.lacks(there, table, wanted)));
    if (!lacks.isEmpty()) {
      throw new StoreException(
          "%s cannot be applied to the existing tables: %s"
              .formatted(AppliedMigrations.nameOf(migration), String.join("; ", lacks)),
          null);
    }
  }
}
