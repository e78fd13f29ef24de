package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the tables of a database up to date. */
final class Migrations {
  private static final int MAX_ATTEMPTS = 10;
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Logger log = LoggerFactory.getLogger(Migrations.class);

  private Migrations() {}

  /**
   * Runs the migrations that are new to the database. Tables of others in the same schema are left
   * alone, and so are migrations of a newer version: they are additive, so this version runs beside
   * it. Several trackers may do it at once: they take turns, and what two of them collide in while
   * Flyway's own table is made succeeds a little later.
   */
  static void run(DataSource dataSource, Dialect dialect, RetryPause pause) {
    try (Connection turns = dataSource.getConnection()) {
      migrate(flyway(dataSource, dialect), turns, dialect, pause);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private static void migrate(Flyway flyway, Connection turns, Dialect dialect, RetryPause pause) {
    for (int attempt = 1; ; attempt++) {
      try (MigrationTurn turn = MigrationTurn.take(turns, dialect)) {
        flyway.migrate();
        return;
      } catch (FlywayException | SQLException e) {
        if (attempt == MAX_ATTEMPTS || isOfMigrationOrDatabase(e)) {
          throw failure(e);
        }
        log.debug("migration attempt {} failed", attempt, e);
        pause(pause);
      }
    }
  }

  private static StoreException failure(Exception e) {
    return new StoreException("cannot bring the tables up to date: " + inWords(e), e);
  }

  /** Flyway says in many lines which script failed; what the database said is the cause. */
  private static String inWords(Exception e) {
    String message = String.valueOf(e.getMessage());
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root == e || !(root instanceof SQLException)
        ? message
        : message.lines().findFirst().orElse("").strip() + ": " + root.getMessage();
  }

  static Flyway flyway(DataSource dataSource, Dialect dialect) {
    return Flyway.configure()
        .dataSource(dataSource)
        .locations("classpath:schema/" + dialect.schemaFolder() + "/migration")
        .table("jt_schema_history")
        .baselineOnMigrate(true)
        .baselineVersion("0")
        .ignoreMigrationPatterns("*:future")
        .load();
  }

  /** What is Flyway's own, and may be a matter of turns, has no type of its own. */
  private static boolean isOfMigrationOrDatabase(Exception e) {
    return e instanceof FlywayException && e.getClass() != FlywayException.class;
  }

  private static void pause(RetryPause pause) {
    try {
      pause.pause(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("interrupted before the tables were brought up to date", e);
    }
  }
}
