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
 * Applies migrations, statement by statement. Each statement commits by itself on every database,
 * so one that was broken off is begun again from its first statement, and what exists is passed
 * over: so do several trackers that apply it at once.
 */
final class MigrationSteps {
  private static final Logger LOG = LoggerFactory.getLogger(MigrationSteps.class);

  private final Connection connection;
  private final Dialect dialect;
  private final SchemaScripts scripts;

  /**
   * @param connection one that commits by itself
   */
  MigrationSteps(Connection connection, Dialect dialect) {
    this.connection = connection;
    this.dialect = dialect;
    this.scripts = new SchemaScripts(dialect);
  }

  /** Makes the table in which the others are noted, unless it exists. */
  void makeHistory() throws SQLException {
    for (String statement : SchemaScripts.statements(scripts.history())) {
      execute(statement);
    }
  }

  /**
   * Applies a migration and notes it.
   *
   * @throws StoreException if a table that existed before cannot serve in the place of its own
   */
  void apply(MigrationInfo migration) throws SQLException {
    boolean passedOver = false;
    for (String statement : SchemaScripts.statements(scripts.migration(migration))) {
      passedOver |= !applied(statement);
    }
    if (passedOver) {
      LOG.info("{}: part of it had been applied before", AppliedMigrations.nameOf(migration));
      requireTables(migration);
    }
  }

  /** Notes it unless that has been done. */
  void note(MigrationInfo migration) throws SQLException {
    for (String statement : SchemaScripts.statements(scripts.historyRow(migration))) {
      execute(statement);
    }
  }

  /** False if what the statement makes exists. */
  private boolean applied(String statement) throws SQLException {
    try {
      execute(statement);
      return true;
    } catch (SQLException e) {
      if (dialect.isThereAlready(e)) {
        LOG.debug("passed over, because it exists: {}", statement, e);
        return false;
      }
      throw e;
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** A driver may fail in any way when another tracker changes a table that it looks at. */
  private Map<String, TableShape> tables() throws SQLException {
    try {
      return TableShape.read(connection);
    } catch (RuntimeException e) {
      throw new SQLTransientException("tables changed while they were looked at", e);
    }
  }

  /** What exists need not be what was to be made. */
  private void requireTables(MigrationInfo migration) throws SQLException {
    Map<String, TableShape> there = tables();
    List<String> lacks = new ArrayList<>();
    ScratchDatabase.tablesUpTo(migration)
        .forEach((table, wanted) -> lacks.addAll(TableShape.lacks(there, table, wanted)));
    if (!lacks.isEmpty()) {
      throw new StoreException(
          "%s cannot be applied over what exists: %s"
              .formatted(AppliedMigrations.nameOf(migration), String.join("; ", lacks)),
          null);
    }
  }
}
