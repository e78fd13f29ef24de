package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import io.millrace.spring.internal.config.MillraceStartException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.ClassUtils;

/** Applications with a tracker in them. */
@ExtendWith(OutputCaptureExtension.class)
class EmbeddedTrackerTest {
  private static final Pattern CONSOLE =
      Pattern.compile("console: listens at http://127\\.0\\.0\\.1:([0-9]+)");

  private static final boolean FLYWAY_IS_A_MODULE =
      ClassUtils.isPresent(
          "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration", null);

  @TempDir private Path folder;

  static Job close(String orderId) {
    return Job.builder("shop", "close:" + orderId)
        .handler("close")
        .param("orderId", orderId)
        .build();
  }

  @BeforeEach
  void forget() {
    EmbeddedShop.RUN.clear();
  }

  private String url(String name) {
    return "jdbc:h2:file:" + folder.resolve(name);
  }

  /** H2 makes the user with the first connection. */
  @Test
  void userAndPasswordAreThoseOfTheStore() throws Exception {
    String[] arguments = {
      store(),
      "--millrace.tracker.store.username=keeper",
      "--millrace.tracker.store.password=of the keeper"
    };
    try (ConfigurableApplicationContext application = EmbeddedShop.run(arguments)) {
      submit(application, close("5"));
      awaitRun("close 5");
    }

    assertThatThrownBy(() -> DriverManager.getConnection(url("millrace"), "keeper", "another"))
        .isInstanceOf(SQLException.class);
    try (Connection connection =
        DriverManager.getConnection(url("millrace"), "keeper", "of the keeper")) {
      assertThat(tables(connection)).contains("jt_job");
    }
  }

  @Test
  void pagesShowHealthAndMetersOfTrackerAndWorkerAndClient() throws Exception {
    try (ConfigurableApplicationContext application =
        EmbeddedShop.run(
            "--millrace.tracker.store.url=jdbc:h2:mem:pages",
            "--spring.main.web-application-type=servlet",
            "--server.port=0")) {
      int port = application.getEnvironment().getRequiredProperty("local.server.port", int.class);
      awaitRun("tick");

      assertThat(Http.get(port, "/actuator/health").body())
          .contains("\"millrace\":{", "\"status\":\"UP\"", "\"nodeGroups\":[\"shop\"]");
      assertThat(Http.get(port, "/actuator/metrics").body())
          .contains(
              "millrace.tracker.groups", "millrace.worker.slots", "millrace.client.connected");
      assertThat(Http.get(port, "/actuator/metrics/millrace.tracker.groups").body())
          .contains("\"value\":1.0");
    }
  }

  private String store() {
    return "--millrace.tracker.store.url=" + url("millrace");
  }

  static void awaitRun(String what) throws InterruptedException {
    String run;
    do {
      run = EmbeddedShop.RUN.poll(20, TimeUnit.SECONDS);
      assertThat(run).as("a run of " + what).isNotNull();
    } while (!run.equals(what));
  }

  static void submit(ConfigurableApplicationContext application, Job job) {
    assertThat(application.getBean(JobClient.class).submit(job).isStored()).isTrue();
  }

  static List<String> tables(Connection connection) throws SQLException {
    List<String> names = new ArrayList<>();
    try (ResultSet found =
        connection.getMetaData().getTables(null, connection.getSchema(), "%", null)) {
      while (found.next()) {
        names.add(found.getString("TABLE_NAME").toLowerCase(Locale.ROOT));
      }
    }
    return names;
  }

  @Test
  void jobsInAFileSurviveARestartAndRecurringJobsRun() throws Exception {
    try (ConfigurableApplicationContext first =
        EmbeddedShop.run(store(), "--millrace.worker.enabled=false")) {
      submit(first, close("1"));
    }
    assertThat(EmbeddedShop.RUN).isEmpty();

    try (ConfigurableApplicationContext second = EmbeddedShop.run(store())) {
      awaitRun("close 1");
      awaitRun("tick");
    }
  }

  @Test
  void databaseOfTheApplicationOnH2IsLeftAlone() throws Exception {
    try (ConfigurableApplicationContext application =
        EmbeddedShop.run("--spring.datasource.url=" + url("shop"))) {
      submit(application, close("2"));
      awaitRun("close 2");
      Connection connection =
          application.getBean(JdbcTemplate.class).getDataSource().getConnection();
      try (connection) {
        assertThat(tables(connection))
            .noneMatch(table -> table.startsWith("jt_"))
            // The tests on version 4 have added Flyway to the application; those on 3.5 have not.
            .noneMatch(table -> !FLYWAY_IS_A_MODULE && table.contains("history"));
      }
    }
    assertThat(folder.resolve("shop.mv.db")).exists();
    assertThat(folder.resolve("shop-millrace.mv.db")).exists();
  }

  @Test
  void databaseInMemoryServesATestOfTheApplication() throws Exception {
    try (ConfigurableApplicationContext application =
        EmbeddedShop.run("--spring.datasource.url=jdbc:h2:mem:shop")) {
      submit(application, close("3"));
      awaitRun("close 3");
    }
  }

  @Test
  void stopWaitsForTheJobWhichStillReachesTheTracker() throws Exception {
    try (ConfigurableApplicationContext application = EmbeddedShop.run(store())) {
      submit(application, Job.builder("shop", "long").handler("long").build());
      awaitRun("long");
    }

    awaitRun("submitted while stopping: true");
    try (Connection connection = DriverManager.getConnection(url("millrace"), "", "");
        Statement statement = connection.createStatement();
        ResultSet executing = statement.executeQuery("SELECT COUNT(*) FROM jt_executing")) {
      assertThat(executing.next()).isTrue();
      assertThat(executing.getInt(1)).isZero();
    }
    try (ConfigurableApplicationContext again = EmbeddedShop.run(store())) {
      awaitRun("close after");
    }
  }

  @Test
  void fileServesOneInstance(CapturedOutput output) throws Exception {
    try (ConfigurableApplicationContext first = EmbeddedShop.run(store())) {
      assertThatThrownBy(() -> EmbeddedShop.run(store()))
          .rootCause()
          .isInstanceOf(MillraceStartException.class)
          .hasMessageContaining("An H2 file serves one instance of the application at a time");

      assertThat(inAnotherProcess(store()))
          .contains(
              "APPLICATION FAILED TO START",
              "The tracker cannot use the H2 file " + folder.resolve("millrace"),
              "Several instances need a database on MySQL or MariaDB");
      submit(first, close("4"));
      awaitRun("close 4");
    }
  }

  private static String inAnotherProcess(String argument) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dspring.liquibase.enabled=false",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                EmbeddedShop.class.getName(),
                argument)
            .redirectErrorStream(true)
            .start();
    try {
      String output = new String(process.getInputStream().readAllBytes());
      assertThat(process.waitFor()).isNotZero();
      return output;
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void consoleListensIfItIsEnabled(CapturedOutput output) throws Exception {
    try (ConfigurableApplicationContext without = EmbeddedShop.run(store())) {
      assertThat(output).doesNotContain("console: listens");
    }

    try (ConfigurableApplicationContext with =
        EmbeddedShop.run(
            store(),
            "--millrace.tracker.console.enabled=true",
            "--millrace.tracker.settings.console.port=0")) {
      Matcher line = CONSOLE.matcher(output);
      assertThat(line.find()).isTrue();
      assertThat(Http.get(Integer.parseInt(line.group(1)), "/").statusCode()).isEqualTo(200);
      assertThat(output).contains("the first token of the console, shown only now: ");
    }
  }
}
