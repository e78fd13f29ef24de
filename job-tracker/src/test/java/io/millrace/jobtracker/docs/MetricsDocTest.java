package io.millrace.jobtracker.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.millrace.common.model.Job;
import io.millrace.common.model.RetryPolicy;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.JobTrackerConfig;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Holds docs/metrics.md against the meters of a cluster in which jobs have run. */
class MetricsDocTest {
  private static final Path PAGE = Path.of("..", "docs", "metrics.md");
  private static final String GROUP = "orders";

  private static TestDatabase database;
  private static JobTracker tracker;
  private static TaskTracker worker;
  private static JobClient client;

  @BeforeAll
  static void runJobs() {
    database = TestDatabase.h2();
    tracker = JobTracker.create(JobTrackerConfig.local(0, database.config()));
    tracker.start();
    worker =
        TaskTracker.builder()
            .trackers(tracker.address())
            .nodeGroup(GROUP)
            .slots(4)
            .handler("fine", context -> Result.success())
            .handler("bad", context -> Result.failed("on purpose"))
            .build();
    worker.start();
    client = JobClient.builder().trackers(tracker.address()).build();
    client.submitAll(
        List.of(
            Job.builder(GROUP, "fine").handler("fine").build(),
            Job.builder(GROUP, "bad").handler("bad").retry(RetryPolicy.NONE).build()));
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> database.count("jt_history WHERE is_final") == 2);
  }

  @AfterAll
  static void close() {
    client.close();
    worker.close();
    tracker.close();
    database.close();
  }

  @Test
  void thePageListsEveryMeterOfTheTrackerWithItsTypeAndTagsAndNoOther() throws IOException {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(section("Tracker"))
                    .containsExactlyInAnyOrderElementsOf(rows(tracker.metrics().registry())));
  }

  @Test
  void thePageNamesTheMetersOfLibrariesByWhatTheyBeginWith() throws IOException {
    List<String> prefixes =
        lines("Tracker")
            .filter(line -> line.contains(".*`"))
            .flatMap(line -> Stream.of(line.split("\\|")[1].split(",")))
            .map(cell -> cell.strip().replace("`", "").replace("*", ""))
            .toList();
    Set<String> names = names(tracker.metrics().registry(), "");
    names.removeIf(name -> name.startsWith("millrace."));

    assertThat(names).allMatch(name -> prefixes.stream().anyMatch(name::startsWith));
    assertThat(prefixes).allMatch(prefix -> names.stream().anyMatch(n -> n.startsWith(prefix)));
  }

  @Test
  void gaugesAndTimersAreInSeconds() throws IOException {
    tracker.metrics().registry().getMeters().stream()
        .map(Meter::getId)
        .filter(id -> id.getName().startsWith("millrace.") && id.getBaseUnit() != null)
        .forEach(id -> assertThat(unitOf(id.getName())).as(id.getName()).isEqualTo("seconds"));
  }

  /** What each meter is, as the page says it: name, type, tags. */
  private static Set<String> rows(MeterRegistry meters) {
    return meters.getMeters().stream()
        .map(Meter::getId)
        .filter(id -> id.getName().startsWith("millrace."))
        .map(MetricsDocTest::row)
        .collect(Collectors.toSet());
  }

  private static String row(Meter.Id id) {
    String tags =
        id.getTags().stream()
            .map(Tag::getKey)
            .map(key -> "`" + key + "`")
            .collect(Collectors.joining(", "));
    String type = id.getType().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return "`%s` / %s / %s".formatted(id.getName(), type, tags);
  }

  private static Set<String> names(MeterRegistry meters, String prefix) {
    return meters.getMeters().stream()
        .map(meter -> meter.getId().getName())
        .filter(name -> name.startsWith(prefix))
        .collect(Collectors.toSet());
  }

  private static List<String> section(String title) throws IOException {
    return lines(title)
        .filter(line -> line.startsWith("| `millrace."))
        .map(line -> line.split("\\|", -1))
        .map(cells -> String.join(" / ", cells[1].strip(), cells[2].strip(), cells[3].strip()))
        .toList();
  }

  private static Stream<String> lines(String title) throws IOException {
    return Files.readAllLines(PAGE).stream()
        .dropWhile(line -> !line.equals("## " + title))
        .skip(1)
        .takeWhile(line -> !line.startsWith("## "));
  }

  private static String unitOf(String meter) throws AssertionError {
    try {
      return Files.readAllLines(PAGE).stream()
          .filter(line -> line.startsWith("| `" + meter + "` |"))
          .map(line -> line.split("\\|", -1)[4].strip())
          .findFirst()
          .orElse("not on the page");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
