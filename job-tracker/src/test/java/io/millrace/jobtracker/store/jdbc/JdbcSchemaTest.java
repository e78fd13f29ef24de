package io.millrace.jobtracker.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.EveryDatabase;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.jobtracker.store.jdbc.schema.AppliedMigrations;
import io.millrace.jobtracker.store.jdbc.schema.SchemaFindings;
import io.millrace.jobtracker.store.jdbc.schema.SchemaSql;
import io.millrace.jobtracker.store.jdbc.schema.ScratchDatabase;
import io.millrace.jobtracker.store.jdbc.schema.TableShape;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import io.millrace.jobtracker.store.jdbc.sql.SchemaScripts;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/** The tables of a database, looked at and brought up to date without a tracker. */
@ParameterizedClass(name = "{0}")
@EveryDatabase(takesLong = true)
class JdbcSchemaTest {
  @Parameter TestDatabase.Kind kind;
  private TestDatabase database;
  private Connection keptOpen;
  private JdbcSchema schema;

  @BeforeEach
  void openDatabase() throws SQLException {
    database = kind.openEmpty();
    keptOpen = database.connect();
    schema = new JdbcSchema(database.config());
  }

  @AfterEach
  void closeDatabase() throws SQLException {
    keptOpen.close();
    database.close();
  }

  private Dialect dialect() {
    return database.config().dialect();
  }

  /** The migrations of this version, none of which has been applied. */
  private List<MigrationInfo> all() {
    try (ScratchDatabase scratch = new ScratchDatabase()) {
      return scratch.allMigrations(dialect());
    }
  }

  /** As former versions of Millrace applied them. */
  private Flyway flyway() {
    return Flyway.configure()
        .dataSource(source())
        .locations("classpath:schema/" + dialect().schemaFolder() + "/migration")
        .table(AppliedMigrations.TABLE)
        .load();
  }

  private DriverManagerDataSource source() {
    return new DriverManagerDataSource(
        database.config().effectiveUrl(),
        database.config().username(),
        database.config().password());
  }

  /** As a person would, with the client of the database. */
  private void runByHand(String sql) {
    ScriptUtils.executeSqlScript(
        keptOpen, new ByteArrayResource(sql.getBytes(StandardCharsets.UTF_8)));
  }

  private List<String> differences() {
    return schema.inspect().differences();
  }

  private List<String> migrations() {
    return all().stream().map(AppliedMigrations::nameOf).toList();
  }

  /** The database as the first tracker left it that had this migration. */
  private void migratedTo(String version) {
    Flyway.configure().configuration(flyway().getConfiguration()).target(version).load().migrate();
  }

  // Bringing it up to date.

  @Test
  void migrateSaysWhatItAppliedAndTheSecondTimeNothing() {
    assertThat(schema.migrate())
        .containsExactlyElementsOf(migrations().stream().map(one -> "applied " + one).toList())
        .hasSizeGreaterThan(4);

    assertThat(schema.migrate()).isEmpty();
    assertThat(schema.inspect()).isEqualTo(new SchemaFindings(List.of(), List.of()));
  }

  @Test
  void migrateAppliesTheRestAndBringsWaitingTablesUpToDate() {
    schema.migrate();
    database.stores().nodeGroups().ensure("orders", 10);
    makeOrdersOfVersionOne();

    assertThat(differences())
        .containsExactly("table jt_waiting_orders of node group orders has version 1 instead of 5");
    assertThat(schema.migrate()).containsExactly("upgraded jt_waiting_orders to version 5");
    assertThat(differences()).isEmpty();
  }

  private void makeOrdersOfVersionOne() {
    String index = kind.isServer() ? "ix_due" : "jt_waiting_orders_due";
    database.execute("DROP INDEX " + index + (kind.isServer() ? " ON jt_waiting_orders" : ""));
    database.execute("CREATE INDEX " + index + " ON jt_waiting_orders (priority, due_at, id)");
    for (String column :
        List.of(
            "begun", "submission_id", "submitted_by", "replay_of", "next_at", "lane", "stick_to")) {
      database.execute("ALTER TABLE jt_waiting_orders DROP COLUMN " + column);
    }
    database.execute("UPDATE jt_node_group SET schema_version = 1");
  }

  // Looking at it.

  @Test
  void emptyDatabaseLacksEveryMigrationAndStaysEmpty() {
    assertThat(differences())
        .containsExactlyElementsOf(
            migrations().stream().map(one -> one + " has not been applied").toList());
    assertThat(
            database.query(
                "SELECT table_name FROM information_schema.tables WHERE table_schema = "
                    + (kind.isServer() ? "DATABASE()" : "SCHEMA()")))
        .isEmpty();
  }

  @Test
  void waitingTablesOfNodeGroupsFitToo() {
    database.stores().nodeGroups().ensure("orders", 10);
    database.stores().nodeGroups().ensure("Mail.Out", 10);

    assertThat(schema.inspect().fits()).isTrue();
  }

  @Test
  void whatHandsHaveChangedIsNamed() {
    database.stores().nodeGroups().ensure("orders", 10);
    database.stores().nodeGroups().ensure("mail", 10);
    database.execute("ALTER TABLE jt_history DROP COLUMN message");
    database.execute("ALTER TABLE jt_feedback ADD COLUMN more INT");
    database.execute("DROP TABLE jt_job_log");
    database.execute("DROP TABLE jt_waiting_mail");
    boolean h2 = kind == TestDatabase.Kind.H2;
    database.execute(
        "DROP INDEX " + (h2 ? "jt_waiting_orders_due" : "ix_due ON jt_waiting_orders"));
    database.execute(
        h2
            ? "ALTER TABLE jt_tracker ALTER COLUMN lease_until INT NULL"
            : "ALTER TABLE jt_tracker MODIFY COLUMN lease_until INT");

    assertThat(differences())
        .containsExactly(
            "column jt_history.message is missing",
            "table jt_job_log is missing",
            "column jt_tracker.lease_until has 32-bit numbers instead of 64-bit numbers",
            "column jt_tracker.lease_until may be null",
            "table jt_waiting_mail is missing",
            "table jt_waiting_orders has no index on (lane, priority, due_at, id)");
  }

  @Test
  void migrationThatIsNotWhatWasAppliedIsNamed() {
    schema.migrate();
    String q = kind == TestDatabase.Kind.H2 ? "\"" : "`";
    String table = q + "jt_schema_history" + q;
    database.execute(
        "UPDATE "
            + table
            + " SET "
            + q
            + "checksum"
            + q
            + " = 1 WHERE "
            + q
            + "version"
            + q
            + " = '003'");

    assertThat(differences())
        .singleElement()
        .asString()
        .startsWith("V003 (submissions of replaced jobs): ")
        .contains("checksum");
  }

  @Test
  void migrationOfANewerVersionFitsAndIsNoted() {
    schema.migrate();
    runByHand(
        new SchemaScripts(dialect())
            .historyRow(all().get(1))
            .replaceAll("'00\\d'", "'999'")
            .replaceAll("V00\\d__", "V999__"));

    SchemaFindings findings = schema.inspect();

    assertThat(findings.fits()).isTrue();
    assertThat(findings.notes())
        .singleElement()
        .asString()
        .startsWith("V999 (")
        .endsWith("is of a newer version, with which this one is compatible");
  }

  // By hand.

  @Test
  void sqlOfEverythingMakesADatabaseThatFitsAndOnWhichATrackerHasNothingToDo() {
    runByHand(JdbcSchema.sql(dialect(), List.of("orders", "Mail.Out")));

    assertThat(differences()).isEmpty();
    assertThat(schema.migrate()).isEmpty();
    assertThat(database.stores().nodeGroups().all())
        .extracting(group -> group.name() + " " + group.tableName() + " " + group.epoch())
        .containsExactly("Mail.Out jt_waiting__mail_0_out 0", "orders jt_waiting_orders 0");
    assertThat(database.query("SELECT created_at FROM jt_node_group"))
        .allMatch(at -> Long.parseLong(at) > 1_700_000_000_000L);
  }

  @Test
  void sqlOfEverythingHasTheTemplateAndItsUpgradesAsComments() {
    String sql = JdbcSchema.sql(dialect(), List.of());

    assertThat(sql)
        .contains("-- CREATE TABLE IF NOT EXISTS ${table} (", "-- ALTER TABLE ${table}")
        .doesNotContainPattern("(?m)^[^-\n].*\\$\\{");
    assertThat(sql.lines()).allMatch(line -> line.length() <= 200);
  }

  @Test
  void sqlOfWhatIsPendingBringsAnOldDatabaseUpToDate() {
    migratedTo("003");
    runByHand(new SchemaSql(dialect()).nodeGroup("orders").toString());
    makeOrdersOfVersionOne();
    assertThat(differences()).hasSize(migrations().size() - 3);

    String sql = schema.pendingSql();
    assertThat(sql).doesNotContain("V003__").contains("V004__");
    runByHand(sql);

    assertThat(differences()).isEmpty();
    assertThat(schema.migrate()).isEmpty();
    assertThat(schema.pendingSql()).contains("Nothing: all tables are up to date.");
  }

  @Test
  void sqlOfWhatIsPendingMakesAnEmptyDatabaseFitToo() {
    runByHand(schema.pendingSql());

    assertThat(differences()).isEmpty();
  }

  @Test
  void whereAppliedMigrationsAreNotedIsTheTableThatFlywayMakes() throws SQLException {
    runByHand(new SchemaScripts(dialect()).history());
    Map<String, TableShape> byHand = TableShape.read(keptOpen);
    database.execute(
        "DROP TABLE "
            + (kind == TestDatabase.Kind.H2 ? "\"jt_schema_history\"" : "jt_schema_history"));

    migratedTo("001");

    assertThat(TableShape.read(keptOpen)).containsAllEntriesOf(byHand);
  }

  // What cannot be done.

  @Test
  void databaseThatIsNotThereIsNotMadeByLookingAtIt(@TempDir Path directory) {
    JdbcSchema absent =
        new JdbcSchema(
            kind == TestDatabase.Kind.H2
                ? StoreConfig.of("jdbc:h2:file:" + directory.resolve("store"))
                : StoreConfig.of("jdbc:mysql://127.0.0.1:1/millrace?connectTimeout=1000"));

    if (kind == TestDatabase.Kind.H2) {
      assertThat(absent.inspect().differences())
          .hasSize(1 + migrations().size())
          .first()
          .asString()
          .startsWith("the database at jdbc:h2:file:")
          .endsWith(" does not exist yet");
      assertThat(absent.pendingSql()).contains("V001__");
      assertThat(directory).isEmptyDirectory();
    } else {
      assertThatThrownBy(absent::inspect)
          .isInstanceOf(StoreException.class)
          .hasMessageStartingWith("cannot connect to jdbc:mysql://127.0.0.1:1/millrace: ");
    }
  }

  @Test
  void databaseThatMayNotBeChangedIsAnErrorThatSaysSo() {
    StoreConfig config = database.config();
    StoreConfig readOnly =
        new StoreConfig(
            kind == TestDatabase.Kind.H2
                ? config.url().replaceFirst(";.*", "")
                : config
                    .url()
                    .replace("sessionVariables=", "sessionVariables=transaction_read_only%3D1,"),
            kind == TestDatabase.Kind.H2 ? "reader" : config.username(),
            config.password(),
            4,
            config.connectionTimeout());
    if (kind == TestDatabase.Kind.H2) {
      database.execute("CREATE USER reader PASSWORD ''");
    }

    assertThatThrownBy(() -> new JdbcSchema(readOnly).migrate())
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("cannot migrate the tables: ")
        .hasMessageContaining(kind == TestDatabase.Kind.H2 ? "rights" : "READ ONLY");
  }
}
