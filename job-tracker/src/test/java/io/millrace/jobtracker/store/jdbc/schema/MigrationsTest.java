package io.millrace.jobtracker.store.jdbc.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.Racer;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.jdbc.JdbcSchema;
import io.millrace.jobtracker.store.jdbc.KillingDataSource;
import io.millrace.jobtracker.store.jdbc.connect.RetryPause;
import io.millrace.jobtracker.store.jdbc.connect.StoreConnections;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import io.millrace.jobtracker.store.jdbc.sql.SchemaScripts;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.flywaydb.core.api.MigrationInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Migrations that are broken off, repeated, run twice at once, or in the way. */
@ParameterizedClass(name = "{0}")
@EveryDatabase(takesLong = true)
class MigrationsTest {
  private static final String WHOLE = "whole";

  @Parameter TestDatabase.Kind kind;
  private TestDatabase database;
  private Connection keptOpen;

  @BeforeEach
  void openDatabase() throws SQLException {
    database = kind.openEmpty();
    keptOpen = database.connect();
  }

  @AfterEach
  void closeDatabase() throws SQLException {
    keptOpen.close();
    database.close();
  }

  private static Dialect dialect(TestDatabase of) {
    return of.config().dialect();
  }

  private static DataSource source(TestDatabase of) {
    return StoreConnections.ofMigrations(of.config());
  }

  private static void migrate(TestDatabase what) {
    Migrations.run(source(what), dialect(what), RetryPause.sleeping());
  }

  private static List<MigrationInfo> all(TestDatabase of) {
    try (ScratchDatabase scratch = new ScratchDatabase()) {
      return scratch.allMigrations(dialect(of));
    }
  }

  private String history() {
    return quoted(AppliedMigrations.TABLE);
  }

  private String quoted(String name) {
    return kind == TestDatabase.Kind.H2 ? '"' + name + '"' : name;
  }

  private List<String> applied(TestDatabase of) {
    return of.query(
        "SELECT %s FROM %s WHERE %s ORDER BY %s"
            .formatted(quoted("version"), history(), quoted("success"), quoted("installed_rank")));
  }

  private static Map<String, TableShape> tables(TestDatabase of) throws SQLException {
    try (Connection connection = of.connect()) {
      return TableShape.read(connection);
    }
  }

  // Broken off.

  /** What does more than add cannot be begun again from its first statement. */
  @Test
  void statementsOfMigrationsOnlyAdd() {
    SchemaScripts scripts = new SchemaScripts(dialect(database));

    assertThat(all(database))
        .isNotEmpty()
        .flatMap(migration -> SchemaScripts.statements(scripts.migration(migration)))
        .allMatch(
            statement ->
                statement.matches(
                    "(?s)CREATE TABLE .*|CREATE INDEX .*|COMMENT ON .*"
                        + "|ALTER TABLE \\w+\\s+ADD (COLUMN|CONSTRAINT) .*"));
  }

  /** Each start adds one thing more and is killed; the note of a migration is one, too. */
  @Test
  void killedBehindAnyStatementTheNextStartGoesOn() throws SQLException {
    int starts = 1;
    while (isKilled()) {
      starts++;
    }

    assertThat(starts).isGreaterThan(2 * all(database).size());
    assertThat(applied(database)).hasSameSizeAs(all(database)).doesNotHaveDuplicates();
    try (TestDatabase atOnce = kind.openEmpty();
        Connection open = atOnce.connect()) {
      migrate(atOnce);
      assertThat(tables(database)).isEqualTo(TableShape.read(open));
    }
  }

  private boolean isKilled() {
    try {
      Migrations.run(
          new KillingDataSource(source(database)), dialect(database), RetryPause.sleeping());
      return false;
    } catch (KillingDataSource.Killed killed) {
      return true;
    }
  }

  @Test
  void whatWasAppliedAndNotNotedIsNoted() throws SQLException {
    migrate(database);
    List<String> versions = applied(database);
    Map<String, TableShape> before = tables(database);

    for (String version : versions) {
      database.execute(
          "DELETE FROM %s WHERE %s = '%s'".formatted(history(), quoted("version"), version));
      migrate(database);
      assertThat(applied(database)).containsExactlyInAnyOrderElementsOf(versions);
    }
    assertThat(tables(database)).isEqualTo(before);
  }

  // At once.

  @Test
  void twoTrackersOnAnEmptyDatabaseBothBringItUpToDate() {
    try (Racer racer = new Racer()) {
      List<Future<String>> both =
          List.of(racer.start(() -> migrated(database)), racer.start(() -> migrated(database)));

      both.forEach(one -> assertThat(Racer.resultOf(one)).isEqualTo(WHOLE));
    }
    assertThat(applied(database)).hasSameSizeAs(all(database)).doesNotHaveDuplicates();
  }

  /** The driver of MySQL throws what no interface promises when a table changes beside it. */
  @Test
  void tablesThatChangeWhileTheyAreLookedAtAreLookedAtAgain() {
    migrate(database);
    database.execute("DELETE FROM %s WHERE %s = '009'".formatted(history(), quoted("version")));
    AtomicInteger looks = new AtomicInteger();
    DataSource failing =
        new DelegatingDataSource(source(database)) {
          @Override
          public Connection getConnection() throws SQLException {
            return failingToLook(super.getConnection(), looks);
          }
        };

    Migrations.run(failing, dialect(database), RetryPause.sleeping());

    assertThat(looks).hasValueGreaterThan(1);
    assertThat(applied(database)).hasSameSizeAs(all(database));
  }

  private static Connection failingToLook(Connection connection, AtomicInteger looks) {
    return KillingDataSource.proxy(
        Connection.class,
        (self, method, arguments) ->
            method.getName().equals("getMetaData")
                ? failingToLook(connection.getMetaData(), looks)
                : method.invoke(connection, arguments));
  }

  private static DatabaseMetaData failingToLook(DatabaseMetaData data, AtomicInteger looks) {
    return KillingDataSource.proxy(
        DatabaseMetaData.class,
        (self, method, arguments) -> {
          if (method.getName().equals("getIndexInfo") && looks.incrementAndGet() == 1) {
            throw new IllegalStateException("the table has changed");
          }
          return method.invoke(data, arguments);
        });
  }

  private static String migrated(TestDatabase what) {
    migrate(what);
    return WHOLE;
  }

  // In the way.

  @Test
  void whatFailedInAFormerVersionIsRepairedByACommand() throws SQLException {
    migrate(database);
    Map<String, TableShape> whole = tables(database);
    database.execute(
        "UPDATE %s SET %s = FALSE WHERE %s = '009'"
            .formatted(history(), quoted("success"), quoted("version")));
    database.execute("DROP TABLE jt_minute_count");

    assertThatThrownBy(() -> migrate(database))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "the tables cannot be migrated: V009 (fleet): it failed when an earlier version"
                + " of Millrace applied it; repair it with: millrace db repair --config FILE");
    JdbcSchema schema = new JdbcSchema(database.config());
    assertThat(schema.inspect().differences()).anyMatch(line -> line.contains("db repair"));

    assertThat(schema.repair()).containsExactly("applied V009 (fleet), which had failed before");

    assertThat(tables(database)).isEqualTo(whole);
    assertThat(schema.inspect().fits()).isTrue();
    assertThat(schema.repair()).isEmpty();
  }

  @Test
  void repairLeavesAloneWhatIsNotWhatWasApplied() {
    migrate(database);
    database.execute(
        "UPDATE %s SET %s = 1 WHERE %s = '003'"
            .formatted(history(), quoted("checksum"), quoted("version")));

    assertThatThrownBy(() -> new JdbcSchema(database.config()).repair())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("V003 (submissions of replaced jobs): ")
        .hasMessageContaining("checksum 1 instead of");
    assertThat(
            database.query(
                "SELECT %s FROM %s WHERE %s = '003'"
                    .formatted(quoted("checksum"), history(), quoted("version"))))
        .containsExactly("1");
  }

  @Test
  void tableOfSomebodyElseIsNamed() {
    database.execute("CREATE TABLE jt_cluster (name VARCHAR(64) NOT NULL PRIMARY KEY)");

    assertThatThrownBy(() -> migrate(database))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "V004 (cluster) cannot be applied to the existing tables: column"
                + " jt_cluster.content is missing");
    assertThat(applied(database)).containsExactly("001", "002", "003");
  }
}
