package io.millrace.jobtracker.store.jdbc.schema;

import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.jobtracker.store.jdbc.h2.H2Dialect;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.flywaydb.core.api.MigrationInfo;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** An H2 database in memory: empty, not shared, deleted when it is closed. */
public final class ScratchDatabase implements AutoCloseable {
  private static final Dialect DIALECT = new H2Dialect();

  private final StoreConfig config =
      StoreConfig.of("jdbc:h2:mem:millrace-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
  private final DataSource source =
      new DriverManagerDataSource(config.effectiveUrl(), config.username(), config.password());

  public StoreConfig config() {
    return config;
  }

  public DataSource source() {
    return source;
  }

  /** Returns all migrations of a dialect, as pending ones. */
  public List<MigrationInfo> allMigrations(Dialect dialect) {
    return AppliedMigrations.read(source, dialect).pending();
  }

  /**
   * Returns the tables as the migrations up to and including {@code last} create them: names,
   * columns and indexes are the same on every database.
   */
  static Map<String, TableShape> tablesUpTo(MigrationInfo last) throws SQLException {
    try (ScratchDatabase scratch = new ScratchDatabase();
        Connection connection = scratch.source.getConnection()) {
      for (MigrationInfo migration : scratch.allMigrations(DIALECT)) {
        if (migration.getVersion().compareTo(last.getVersion()) <= 0) {
          new MigrationSteps(connection, DIALECT).apply(migration);
        }
      }
      return TableShape.read(connection);
    }
  }

  @Override
  public void close() {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN");
    } catch (SQLException e) {
      throw new StoreException("cannot close the database in memory: " + e.getMessage(), e);
    }
  }
}
