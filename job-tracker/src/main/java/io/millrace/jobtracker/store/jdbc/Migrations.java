package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.StoreException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;

/** Brings the tables of a database up to date. */
final class Migrations {
  private Migrations() {}

  /**
   * Runs the migrations that are new to the database; several trackers may do it at once. Tables of
   * others in the same schema are left alone, and so are migrations of a newer version: they are
   * additive, so this version runs beside it.
   */
  static void run(DataSource dataSource, Dialect dialect) {
    try {
      Flyway.configure()
          .dataSource(dataSource)
          .locations("classpath:schema/" + dialect.schemaFolder() + "/migration")
          .table("jt_schema_history")
          .baselineOnMigrate(true)
          .baselineVersion("0")
          .ignoreMigrationPatterns("*:future")
          .load()
          .migrate();
    } catch (FlywayException e) {
      throw new StoreException("cannot bring the tables up to date: " + e.getMessage(), e);
    }
  }
}
