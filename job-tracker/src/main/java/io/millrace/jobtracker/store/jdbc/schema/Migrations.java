package io.millrace.jobtracker.store.jdbc.schema;

import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.jdbc.connect.RetryPause;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import io.millrace.jobtracker.store.jdbc.sql.SqlErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Migrates the tables of a database. */
public final class Migrations {
  private static final int MAX_ATTEMPTS = 10;
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

  private final DataSource dataSource;
  private final Dialect dialect;
  private final RetryPause pause;

  private Migrations(DataSource dataSource, Dialect dialect, RetryPause pause) {
    this.dataSource = dataSource;
    this.dialect = dialect;
    this.pause = pause;
  }

  /**
   * Applies the migrations that are new to the database. Several trackers may do this at the same
   * time, also through different nodes of a cluster. If a tracker is killed meanwhile, the next
   * start continues.
   *
   * @throws StoreException before anything has been changed, if a migration failed in a former
   *     version, differs from what was applied, or the user lacks rights
   */
  public static void run(DataSource dataSource, Dialect dialect, RetryPause pause) {
    new Migrations(dataSource, dialect, pause).repeated(false);
  }

  /**
   * As {@link #run}, but first removes the records of migrations that failed in a former version;
   * returns those migrations.
   */
  public static List<MigrationInfo> repair(
      DataSource dataSource, Dialect dialect, RetryPause pause) {
    return new Migrations(dataSource, dialect, pause).repeated(true);
  }

  /** Repeats the migration on errors that may pass: every step here may safely run again. */
  private List<MigrationInfo> repeated(boolean repairs) {
    for (int attempt = 1; ; attempt++) {
      try {
        return once(repairs);
      } catch (FlywayException | SQLException | DataAccessException e) {
        SQLException sql = SqlErrors.causeOf(e);
        if (attempt == MAX_ATTEMPTS || sql == null || !maySucceedLater(sql)) {
          throw failure(sql == null ? e : sql);
        }
        LOG.debug("attempt {} to migrate the tables failed", attempt, e);
        pause();
      }
    }
  }

  private List<MigrationInfo> once(boolean repairs) throws SQLException {
    finishChanges();
    AppliedMigrations found = AppliedMigrations.read(dataSource, dialect);
    List<String> damages = repairs ? found.altered() : found.damages();
    if (!damages.isEmpty()) {
      throw new StoreException(
          "the tables cannot be migrated: " + String.join("; ", damages), null);
    }
    try (Connection connection = dataSource.getConnection()) {
      RightsCheck.require(connection, dialect, found.pending());
      if (repairs) {
        removeMarks(connection, found.failed());
      }
      if (repairs || !found.pending().isEmpty()) {
        applyAll(connection);
      }
    }
    return found.failed();
  }

  private void finishChanges() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      if (dialect.mayHaveUnfinishedChanges(connection)) {
        try (Connection turns = dataSource.getConnection();
            MigrationTurn turn = MigrationTurn.take(turns, dialect)) {
          dialect.finishChanges(connection);
        }
      }
    }
  }

  private static void removeMarks(Connection connection, List<MigrationInfo> failed)
      throws SQLException {
    String quote = connection.getMetaData().getIdentifierQuoteString();
    String delete =
        "DELETE FROM %1$s%2$s%1$s WHERE %1$sinstalled_rank%1$s = ? AND %1$ssuccess%1$s = FALSE"
            .formatted(quote, AppliedMigrations.TABLE);
    JdbcTemplate jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
    failed.forEach(one -> jdbc.update(delete, one.getInstalledRank()));
  }

  private void applyAll(Connection connection) throws SQLException {
    try (Connection turns = dataSource.getConnection();
        MigrationTurn turn = MigrationTurn.take(turns, dialect)) {
      MigrationSteps steps = new MigrationSteps(connection, dialect);
      steps.makeHistory();
      for (MigrationInfo migration : AppliedMigrations.read(dataSource, dialect).pending()) {
        LOG.info("applying {}", AppliedMigrations.nameOf(migration));
        try {
          steps.apply(migration);
        } catch (SQLException e) {
          throw named(migration, e);
        }
        steps.note(migration);
      }
    }
  }

  private static SQLException named(MigrationInfo migration, SQLException e) {
    String message = AppliedMigrations.nameOf(migration) + ": " + e.getMessage();
    return e instanceof SQLTransientException
        ? new SQLTransientException(message, e.getSQLState(), e.getErrorCode(), e)
        : new SQLException(message, e.getSQLState(), e.getErrorCode(), e);
  }

  /**
   * Whether the cause may be another tracker that migrates at the same time, or a broken
   * connection.
   */
  private boolean maySucceedLater(SQLException e) {
    String state = e.getSQLState();
    return e instanceof SQLTransientException
        || dialect.isLostToConcurrency(e)
        || dialect.isThereAlready(e)
        || (state != null && (state.startsWith("08") || state.startsWith("23")));
  }

  private static StoreException failure(Exception e) {
    return new StoreException("cannot migrate the tables: " + e.getMessage(), e);
  }

  private void pause() {
    try {
      pause.pause(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted before the tables were migrated", e);
    }
  }
}
