package io.millrace.spring;

import static io.millrace.spring.RecurringJobsTest.awaitLine;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.api.JobStatus;
import io.millrace.jobclient.JobClient;
import io.millrace.spring.RecurringJobsTest.First;
import io.millrace.spring.RecurringJobsTest.Second;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** What the properties of declarations change. Each test has an application of its own name. */
@ExtendWith(OutputCaptureExtension.class)
class DeclarationSettingsTest {
  private static TestTracker tracker;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    tracker = TestTracker.start();
  }

  @AfterAll
  static void close() {
    tracker.close();
  }

  private static ConfigurableApplicationContext run(Class<?> version, String name, String... more) {
    SpringApplication application = new SpringApplication(version);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setRegisterShutdownHook(false);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--spring.application.name=" + name,
                "--poll.every=1h",
                "--millrace.trackers=" + tracker.address()));
    arguments.addAll(List.of(more));
    return application.run(arguments.toArray(String[]::new));
  }

  private static JobStatus.State state(
      ConfigurableApplicationContext application, String group, String id) {
    return application.getBean(JobClient.class).status(group, id).state();
  }

  private static List<String> declared(
      ConfigurableApplicationContext application, String group, String id) {
    return application.getBean(JobClient.class).explain(group, id).facts().stream()
        .filter(fact -> fact.kind() == FactKind.DECLARED)
        .map(Fact::text)
        .toList();
  }

  /** As Spring Boot's plugins write it with the goal {@code build-info}. */
  private String builtAt(String time) throws IOException {
    Path file = Files.createTempFile(folder, "build-info", ".properties");
    Files.writeString(file, "build.time=" + time + "\nbuild.version=1\n");
    return "--spring.info.build.location=file:" + file;
  }

  @Test
  void timeOfTheBuildIsTheRevision(CapturedOutput output) throws Exception {
    String march = "2026-03-01T00:00:00Z";
    try (ConfigurableApplicationContext first = run(First.class, "built", builtAt(march))) {
      awaitLine(output, "recurring job built/report: ADDED");
    }
    Instant february = Instant.parse("2026-02-01T00:00:00Z");
    try (ConfigurableApplicationContext older =
        run(Second.class, "built", builtAt(february.toString()))) {
      awaitLine(
          output,
          "the recurring jobs of built at revision " + february.getEpochSecond() + " are OUTDATED");
      assertThat(output).doesNotContain("recurring job built/report: CHANGED");
    }
    try (ConfigurableApplicationContext newer =
        run(Second.class, "built", builtAt("2026-03-01T00:00:01Z"))) {
      awaitLine(output, "recurring job built/report: CHANGED");
    }
  }

  @Test
  void revisionOfThePropertyPrecedesTheBuild(CapturedOutput output) throws Exception {
    try (ConfigurableApplicationContext application =
        run(
            First.class,
            "numbered",
            builtAt("2026-03-01T00:00:00Z"),
            "--millrace.declarations.revision=8")) {
      awaitLine(output, "recurring job numbered/report: ADDED");
    }
    try (ConfigurableApplicationContext application =
        run(Second.class, "numbered", "--millrace.declarations.revision=7")) {
      awaitLine(output, "the recurring jobs of numbered at revision 7 are OUTDATED");
    }
    try (ConfigurableApplicationContext application =
        run(Second.class, "numbered", "--millrace.declarations.revision=9")) {
      awaitLine(output, "recurring job numbered/report: CHANGED");
    }
  }

  @Test
  void jobsThatAreGoneStayIfNoneRetires(CapturedOutput output) {
    try (ConfigurableApplicationContext first = run(First.class, "keeping")) {
      awaitLine(output, "recurring job keeping/report: ADDED");
    }
    try (ConfigurableApplicationContext second =
        run(Second.class, "keeping", "--millrace.declarations.retire=false")) {
      awaitLine(output, "recurring job keeping/report: CHANGED");
      assertThat(state(second, "keeping", "poll")).isEqualTo(JobStatus.State.ACTIVE);
      assertThat(state(second, "keeping", "cleaning")).isEqualTo(JobStatus.State.ACTIVE);
    }
    assertThat(output).doesNotContain("recurring job keeping/poll: RETIRED");
  }

  @Test
  void jobsOfAnotherOwnerAreTakenOverOnlyIfTheyAreAdopted(CapturedOutput output) {
    try (ConfigurableApplicationContext other =
        run(First.class, "adopting", "--millrace.declarations.owner=the-one-before")) {
      awaitLine(output, "recurring job adopting/report: ADDED");
      assertThat(declared(other, "adopting", "report"))
          .singleElement()
          .asString()
          .contains("the-one-before");
    }
    try (ConfigurableApplicationContext refused = run(Second.class, "adopting")) {
      awaitLine(output, "recurring job adopting/report is not declared: ");
      assertThat(declared(refused, "adopting", "report"))
          .singleElement()
          .asString()
          .contains("the-one-before");
    }
    try (ConfigurableApplicationContext adopting =
        run(Second.class, "adopting", "--millrace.declarations.adopt=true")) {
      awaitLine(output, "recurring job adopting/report: CHANGED");
      assertThat(declared(adopting, "adopting", "report"))
          .singleElement()
          .asString()
          .contains("adopting")
          .doesNotContain("the-one-before");
    }
  }

  @Test
  void nothingIsDeclaredIfThatIsSwitchedOff() {
    try (ConfigurableApplicationContext application =
        run(First.class, "silent", "--millrace.declarations.enabled=false")) {
      assertThat(application.containsBean("millraceDeclarer")).isFalse();
      assertThat(state(application, "silent", "report")).isEqualTo(JobStatus.State.NOT_KNOWN);
    }
  }
}
