package io.millrace.console.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.millrace.api.Job;
import io.millrace.api.RetryPolicy;
import io.millrace.console.ConsoleConfig;
import io.millrace.console.TrackerServer;
import io.millrace.console.TrackerServerConfig;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.JobRelay;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holds docs/monitoring.md, the dashboard and the alert rules against the meters of a cluster in
 * which jobs have run: a tracker with a console, a worker and a client that count in one registry.
 */
class MetricsDocTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final String GROUP = "orders";
  private static final String OF_WORKER = "millrace.worker.";
  private static final String OF_CLIENT = "millrace.client.";
  private static final String OF_RELAY = "millrace.relay.";

  /** A meter of Millrace as Prometheus knows it. */
  private static final Pattern SAMPLE = Pattern.compile("\\bmillrace_[a-z0-9_]+");

  private static TestDatabase database;
  private static TrackerServer server;
  private static JobTracker tracker;
  private static TaskTracker worker;
  private static JobClient client;
  private static JobRelay relay;

  @BeforeAll
  static void runJobs() {
    database = TestDatabase.h2();
    server =
        TrackerServer.create(
            new TrackerServerConfig(JobTrackerConfig.local(0, database.config()))
                .withConsole(ConsoleConfig.onLoopback(0)));
    server.start();
    tracker = server.tracker();
    worker =
        TaskTracker.builder()
            .trackers(tracker.address())
            .nodeGroup(GROUP)
            .slots(4)
            .labels("gpu")
            .handler("fine", context -> Result.success())
            .handler("bad", context -> Result.failed("on purpose"))
            .meterRegistry(tracker.metrics().registry())
            .build();
    worker.start();
    client =
        JobClient.builder()
            .trackers(tracker.address())
            .meterRegistry(tracker.metrics().registry())
            .build();
    relay =
        JobRelay.builder(client, noDatabase()).meterRegistry(tracker.metrics().registry()).build();
    relay.start();
    client.submitAll(
        List.of(
            Job.builder(GROUP, "fine").handler("fine").on("gpu").build(),
            Job.builder(GROUP, "bad").handler("bad").retry(RetryPolicy.NONE).build()));
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                tracker.metrics().registry().find("millrace.executions.ended").counters().size()
                        == 2
                    && tracker.metrics().registry().find("millrace.backlog.lane").gauge() != null);
  }

  /** The meters of a relay are there without a database too. */
  static DataSource noDatabase() {
    return (DataSource)
        Proxy.newProxyInstance(
            MetricsDocTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, arguments) -> {
              throw new SQLException("there is no database, as planned");
            });
  }

  @AfterAll
  static void close() {
    relay.close();
    client.close();
    worker.close();
    server.close();
    database.close();
  }

  @ParameterizedTest
  @CsvSource({
    "Tracker, millrace.",
    "Worker, " + OF_WORKER,
    "Client, " + OF_CLIENT,
    "Relay, " + OF_RELAY
  })
  void thePageListsEveryMeterWithItsTypeAndTagsAndNoOther(String section, String prefix) {
    Set<String> registered =
        ids()
            .filter(id -> id.getName().startsWith(prefix))
            .filter(id -> section.equals("Tracker") == isOfTracker(id))
            .map(MetricsDocTest::row)
            .collect(Collectors.toSet());

    assertThat(rows(section).map(cells -> String.join(" / ", cells.subList(0, 3))))
        .containsExactlyInAnyOrderElementsOf(registered);
  }

  private static boolean isOfTracker(Meter.Id id) {
    return Stream.of(OF_WORKER, OF_CLIENT, OF_RELAY)
        .noneMatch(prefix -> id.getName().startsWith(prefix));
  }

  @Test
  void thePageSaysInWhatUnitTimesAndSizesAre() {
    Map<String, String> units =
        Stream.of("Tracker", "Worker", "Client", "Relay")
            .flatMap(MetricsDocTest::rows)
            .collect(Collectors.toMap(cells -> cells.get(0), cells -> cells.get(3)));

    assertThat(
            ids()
                .filter(id -> id.getName().startsWith("millrace.") && id.getBaseUnit() != null)
                .filter(id -> !id.getBaseUnit().equals(units.get("`" + id.getName() + "`"))))
        .isEmpty();
    assertThat(units).containsValues("seconds", "bytes");
  }

  @Test
  void thePageNamesTheMetersOfLibrariesByWhatTheyBeginWith() {
    List<String> prefixes =
        lines("Tracker")
            .filter(line -> line.contains(".*`"))
            .flatMap(line -> Stream.of(line.split("\\|")[1].split(",")))
            .map(cell -> cell.strip().replace("`", "").replace("*", ""))
            .toList();
    Set<String> names =
        ids()
            .map(Meter.Id::getName)
            .filter(name -> !name.startsWith("millrace."))
            .collect(Collectors.toSet());

    assertThat(names).allMatch(name -> prefixes.stream().anyMatch(name::startsWith));
    assertThat(prefixes).allMatch(prefix -> names.stream().anyMatch(n -> n.startsWith(prefix)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"grafana/millrace.json", "alert-rules.yml"})
  void dashboardAndAlertRulesAskForMetersThatAScrapeHas(String file) throws IOException {
    Set<String> asked = samplesIn(Files.readString(DOCS.resolve(file)));
    String scrape = tracker.metrics().scrape();

    assertThat(asked).hasSizeGreaterThan(5);
    assertThat(samplesOf(scrape)).containsAll(asked);
  }

  private static Set<String> samplesIn(String text) {
    return SAMPLE.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
  }

  /** The names of the samples, which those of the meters do not tell: comments are left out. */
  private static Set<String> samplesOf(String scrape) {
    return scrape
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("[{ ]", 2)[0])
        .collect(Collectors.toSet());
  }

  private static Stream<Meter.Id> ids() {
    return tracker.metrics().registry().getMeters().stream().map(Meter::getId);
  }

  /** What a meter is, as the page says it: name, type, tags. */
  private static String row(Meter.Id id) {
    String tags =
        id.getTags().stream()
            .map(Tag::getKey)
            .map(key -> "`" + key + "`")
            .collect(Collectors.joining(", "));
    String type = id.getType().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return "`%s` / %s / %s".formatted(id.getName(), type, tags);
  }

  /** The cells of each meter of a section: name, type, tags, unit, meaning. */
  private static Stream<List<String>> rows(String section) {
    return lines(section)
        .filter(line -> line.startsWith("| `millrace."))
        .map(line -> Stream.of(line.split("\\|", -1)).skip(1).map(String::strip).toList());
  }

  private static Stream<String> lines(String section) {
    try {
      return Files.readAllLines(DOCS.resolve("monitoring.md")).stream()
          .dropWhile(line -> !line.equals("## " + section + " meters"))
          .skip(1)
          .takeWhile(line -> !line.startsWith("## "));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
