package io.millrace.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** What an application prints whose tracker cannot start. */
@ExtendWith(OutputCaptureExtension.class)
class EmbeddedStartFailuresTest {

  private static String start(CapturedOutput output, String... more) {
    List<String> arguments = new ArrayList<>(List.of(more));
    if (arguments.stream().noneMatch(one -> one.contains("store.url"))) {
      arguments.add("--millrace.tracker.store.url=jdbc:h2:mem:failures");
    }
    return startAsIs(output, arguments.toArray(String[]::new));
  }

  private static String startAsIs(CapturedOutput output, String... arguments) {
    int before = output.getAll().length();
    try (ConfigurableApplicationContext application = EmbeddedShop.run(arguments)) {
      return "started";
    } catch (RuntimeException failed) {
      return output.getAll().substring(before).replaceAll("\\s+", " ");
    }
  }

  @Test
  void otherDatabasesAreRefusedByName(CapturedOutput output) {
    assertThat(start(output, "--millrace.tracker.store.url=jdbc:postgresql://db/shop"))
        .contains(
            "APPLICATION FAILED TO START",
            "Description: millrace.tracker.store.url names a database on PostgreSQL. A tracker"
                + " keeps its jobs in MySQL, MariaDB or H2 only.",
            "Action: Set millrace.tracker.store.url");
    assertThat(start(output, "--millrace.tracker.store.url=jdbc:oracle:thin:@db:1521/shop"))
        .contains("names a database on Oracle.");
  }

  @Test
  void noDatabase(CapturedOutput output) {
    assertThat(startAsIs(output))
        .contains(
            "The tracker has no database: neither millrace.tracker.store.url nor"
                + " spring.datasource.url is set.");
  }

  @Test
  void databaseThatDoesNotAnswer(CapturedOutput output) {
    assertThat(
            start(
                output,
                "--millrace.tracker.store.url=jdbc:mysql://127.0.0.1:1/shop",
                "--millrace.tracker.settings.store.connection-timeout=250ms"))
        .contains(
            "The tracker in the application cannot use its database: cannot connect to"
                + " jdbc:mysql://127.0.0.1:1/shop",
            "Action: Start the database, or correct millrace.tracker.store.url");
  }

  @Test
  void trackersBesideIt(CapturedOutput output) {
    for (String name : List.of("millrace.trackers", "millrace.trackers[0]")) {
      assertThat(start(output, "--" + name + "=127.0.0.1:35001"))
          .contains("There are both millrace.tracker.embedded=true and millrace.trackers.");
    }
  }

  @Test
  void unknownSetting(CapturedOutput output) {
    assertThat(start(output, "--millrace.tracker.settings.worker.leese=10s"))
        .contains("The tracker in the application is configured wrongly:", "worker.leese");
    assertThat(start(output, "--millrace.tracker.settings.store.username=me"))
        .contains(
            "millrace.tracker.settings.store.username cannot be set.",
            "Set millrace.tracker.store.username instead.");
  }

  @Test
  void portThatIsTaken(CapturedOutput output) throws Exception {
    try (TestTracker other = TestTracker.start()) {
      String port = other.address().replaceFirst(".*:", "");
      assertThat(start(output, "--millrace.tracker.settings.rpc.port=" + port))
          .contains("The tracker in the application cannot listen:", port);
    }
  }

  @Test
  void encryptionOfOneSide(CapturedOutput output) {
    assertThat(start(output, "--millrace.tls.enabled=true"))
        .contains("The client and the worker encrypt, but the tracker in the application does not");
  }

  private static String startWithout(String classes, String... properties) throws Exception {
    String[] failure = {"started"};
    new ApplicationContextRunner()
        .withClassLoader(new FilteredClassLoader(classes))
        .withConfiguration(
            AutoConfigurations.of(
                Class.forName(
                    "io.millrace.spring.internal.embedded.MillraceEmbeddedAutoConfiguration"),
                Class.forName("io.millrace.spring.internal.config.MillraceAutoConfiguration")))
        .withPropertyValues("millrace.tracker.embedded=true", "spring.application.name=shop")
        .withPropertyValues(properties)
        .run(
            context -> {
              Throwable failed = context.getStartupFailure();
              while (failed != null) {
                failure[0] = failed.getMessage();
                failed = failed.getCause();
              }
            });
    return failure[0];
  }

  @Test
  void trackerOrConsoleThatIsNotOnTheClassPath() throws Exception {
    assertThat(startWithout("io.millrace.jobtracker"))
        .isEqualTo(
            "millrace.tracker.embedded=true needs millrace-spring-boot-starter-embedded, which is"
                + " not on the class path.");
    assertThat(startWithout("io.millrace.console", "millrace.tracker.console.enabled=true"))
        .isEqualTo(
            "millrace.tracker.console.enabled=true needs millrace-console, which is not on the"
                + " class path.");
  }
}
