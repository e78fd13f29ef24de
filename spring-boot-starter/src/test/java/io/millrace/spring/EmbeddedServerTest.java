package io.millrace.spring;

import static io.millrace.spring.EmbeddedTrackerTest.awaitRun;
import static io.millrace.spring.EmbeddedTrackerTest.close;
import static io.millrace.spring.EmbeddedTrackerTest.submit;
import static io.millrace.spring.EmbeddedTrackerTest.tables;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Disposition;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Applications with a tracker in them whose database is on MariaDB, or on the server that the run
 * names.
 */
@Tag("database")
class EmbeddedServerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private TestDatabase database;

  @BeforeEach
  void open() {
    EmbeddedShop.RUN.clear();
    database = TestDatabase.Kind.server().openEmpty();
  }

  @AfterEach
  void drop() {
    database.close();
  }

  /** MariaDB is reached by its own driver. */
  static String urlOfApplication(TestDatabase database) {
    String url = database.config().url();
    return database.kind() == TestDatabase.Kind.MARIADB
        ? url.replaceFirst("^jdbc:mysql:", "jdbc:mariadb:").replaceFirst("\\?.*", "")
        : url;
  }

  private ConfigurableApplicationContext run(String... more) {
    StoreConfig config = database.config();
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--spring.datasource.url=" + urlOfApplication(database),
                "--spring.datasource.username=" + config.username(),
                "--spring.datasource.password=" + config.password()));
    arguments.addAll(Arrays.asList(more));
    return EmbeddedShop.run(arguments.toArray(String[]::new));
  }

  /** The migrations of the application find an empty schema at the first start. */
  @Test
  void tablesStandBesideThoseOfFlyway() throws Exception {
    for (String start : List.of("first", "second")) {
      try (ConfigurableApplicationContext application =
          run("--spring.flyway.locations=classpath:shop-migrations")) {
        submit(application, close(start));
        awaitRun("close " + start);
      }
    }
    try (Connection connection = database.connect()) {
      assertThat(tables(connection))
          .contains("orders", "flyway_schema_history", "jt_job", "jt_schema_history");
    }
    assertThat(database.count("flyway_schema_history")).isOne();
  }

  /** The changes of the application note the tables that they find. */
  @Test
  void trackerStartsWhenLiquibaseHasEnded() throws Exception {
    for (String start : List.of("first", "second")) {
      try (ConfigurableApplicationContext application =
          run(
              "--spring.flyway.enabled=false",
              "--spring.liquibase.enabled=true",
              "--spring.liquibase.change-log=classpath:shop-changes.sql")) {
        submit(application, close(start));
        awaitRun("close " + start);
      }
    }
    assertThat(database.query("SELECT tables_of_the_tracker FROM orders")).containsExactly("0");
    assertThat(database.count("DATABASECHANGELOG")).isOne();
    try (Connection connection = database.connect()) {
      assertThat(tables(connection)).contains("jt_job", "jt_schema_history");
    }
  }

  @Test
  void twoInstancesAreTrackersOfOneClusterAndEachJobRunsOnce() throws Exception {
    try (ConfigurableApplicationContext first = run("--spring.flyway.enabled=false")) {
      try (ConfigurableApplicationContext second = run("--spring.flyway.enabled=false")) {
        await().atMost(PATIENCE).until(() -> database.count("jt_tracker") == 2);
        JobClient one = first.getBean(JobClient.class);
        JobClient other = second.getBean(JobClient.class);
        assertThat(one.health().number()).isNotEqualTo(other.health().number());

        List<SubmitResult> submitted = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          submitted.add((i % 2 == 0 ? one : other).submit(close("of both " + i)));
        }
        for (SubmitResult job : submitted) {
          assertThat(job.status()).isEqualTo(SubmitStatus.ACCEPTED);
          assertThat(other.await(job, PATIENCE).disposition()).isEqualTo(Disposition.SUCCEEDED);
        }
        List<String> run = new ArrayList<>(EmbeddedShop.RUN);
        for (int i = 0; i < 20; i++) {
          assertThat(Collections.frequency(run, "close of both " + i)).as("runs of %d", i).isOne();
        }
      }
      submit(first, close("alone"));
      awaitRun("close alone");
    }
  }
}
