package io.millrace.jobtracker.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.JobRelay;
import io.millrace.jobclient.TransactionalJobs;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Relays as an application has them, over each of its databases, with a real tracker. */
@ParameterizedClass(name = "{0}")
@MethodSource("kinds")
@Tag("database")
@Timeout(120)
class JobRelayTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Less than a minute, in which a relay that polls once a minute looks by itself. */
  private static final Duration BEFORE_THE_NEXT_POLL = Duration.ofSeconds(40);

  @Parameter AppDatabase.Kind kind;

  private final TransactionalJobs jobs = TransactionalJobs.create();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private AppDatabase own;
  private DataSource source;
  private TestDatabase trackers;
  private JobTracker tracker;
  private JobClient client;

  static Stream<AppDatabase.Kind> kinds() {
    return AppDatabase.Kind.all();
  }

  @BeforeEach
  void start() throws SQLException {
    own = kind.open();
    source = PlainSource.over(own::connect);
    trackers = kind.openForTrackers();
    tracker = JobTracker.create(JobTrackerConfig.local(0, trackers.config()));
    tracker.start();
    client = JobClient.builder().trackers(tracker.address()).clientGroup("shop").build();
    try (Connection connection = own.connect()) {
      jobs.createTables(connection);
    }
  }

  @AfterEach
  void close() {
    client.close();
    tracker.close();
    own.close();
    trackers.close();
  }

  private JobRelay.Builder relay() {
    return JobRelay.builder(client, source).meterRegistry(meters);
  }

  private void enqueue(String... taskIds) throws SQLException {
    try (Connection connection = own.connect()) {
      connection.setAutoCommit(false);
      for (String taskId : taskIds) {
        String unused = jobs.enqueue(connection, later(taskId));
      }
      connection.commit();
    }
  }

  private static Job later(String taskId) {
    return Job.builder("orders", taskId).at(Instant.parse("2099-01-01T00:00:00Z")).build();
  }

  private List<String> waiting() {
    return trackers.query("SELECT table_name FROM jt_node_group WHERE name = 'orders'").stream()
        .flatMap(table -> trackers.query("SELECT task_id FROM " + table).stream())
        .sorted()
        .toList();
  }

  @Test
  void jobWhoseRunsAreSplitArrivesAsItWasEnqueued() throws SQLException {
    try (JobRelay relay = relay().build()) {
      relay.start();
      try (Connection connection = own.connect()) {
        connection.setAutoCommit(false);
        Job job = Job.builder("orders", "split").after(Duration.ofDays(1)).shards(7).build();
        Job each = Job.builder("orders", "to-each").after(Duration.ofDays(1)).broadcast().build();
        String unused = jobs.enqueue(connection, job);
        String unusedToo = jobs.enqueue(connection, each);
        connection.commit();
      }
      awaitWaiting("split", "to-each");
      String table = trackers.query("SELECT table_name FROM jt_node_group").get(0);
      assertThat(trackers.query("SELECT spec FROM " + table))
          .anySatisfy(spec -> assertThat(spec).contains("\"shards\":7"))
          .anySatisfy(spec -> assertThat(spec).contains("\"onWorkerLost\":\"SKIP\""));
    }
  }

  private void awaitWaiting(String... taskIds) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(waiting()).containsExactly(taskIds));
  }

  private double count(String answer) {
    return meters.get("millrace.relay.requests").tag("answer", answer).counter().count();
  }

  @Test
  void wokenRelaySubmitsWhatWasCommittedAndCounts() throws SQLException {
    try (JobRelay relay = relay().poll(Duration.ofMinutes(1)).build()) {
      relay.start();
      await()
          .atMost(PATIENCE)
          .until(() -> meters.get("millrace.relay.partitions").gauge().value() == 16);
      enqueue("a", "b");
      try (Connection connection = own.connect()) {
        connection.setAutoCommit(false);
        jobs.cancel(connection, "orders", "b");
        jobs.cancel(connection, "orders", "unknown");
        connection.commit();
      }
      relay.wake();

      awaitWaiting("a");
      // An answer is counted after its job is stored or gone, and b is cancelled in a second round.
      await().atMost(PATIENCE).until(() -> count("cancelled") == 1);
      assertThat(count("accepted")).isEqualTo(2);
      assertThat(count("not_found")).isEqualTo(1);
      relay.wake();
      await().atMost(PATIENCE).until(() -> relay.lag().isZero());
      assertThat(meters.get("millrace.relay.lag").gauge().value()).isZero();
    }
    assertThat(meters.find("millrace.relay.lag").gauge()).isNull();
  }

  @Test
  void relayLooksByItselfAndCanBeStartedAgain() throws SQLException {
    try (JobRelay relay = relay().poll(Duration.ofMillis(20)).build()) {
      relay.start();
      relay.start();
      enqueue("a");
      awaitWaiting("a");
      relay.stop();
      enqueue("b");
      relay.wake();
      assertThat(own.query("SELECT task_id FROM millrace_enqueued")).containsExactly("b");

      relay.start();
      awaitWaiting("a", "b");
      relay.close();
      relay.close();
    }
    assertThat(own.query("SELECT holder FROM millrace_enqueued_lease")).containsOnlyNulls();
  }

  @Test
  void wokenRelaySendsOnceItsClientIsConnectedRatherThanWithTheNextPoll() throws SQLException {
    tracker.close();
    try (JobClient early =
            JobClient.builder().trackers(tracker.address()).clientGroup("shop").build();
        JobRelay relay =
            JobRelay.builder(early, source)
                .meterRegistry(meters)
                .poll(Duration.ofMinutes(1))
                .build()) {
      relay.start();
      enqueue("a");
      relay.wake();
      await().atMost(PATIENCE).until(() -> !relay.lag().isZero());

      int port = Integer.parseInt(tracker.address().replaceFirst(".*:", ""));
      tracker = JobTracker.create(JobTrackerConfig.local(port, trackers.config()));
      tracker.start();
      await()
          .atMost(BEFORE_THE_NEXT_POLL)
          .untilAsserted(() -> assertThat(waiting()).containsExactly("a"));
    }
  }

  @Test
  void anotherRelayTakesOverAtOnceFromOneThatCloses() throws SQLException {
    try (JobRelay second =
            relay().poll(Duration.ofMillis(20)).lease(Duration.ofMinutes(5)).build();
        JobRelay first = relay().poll(Duration.ofMillis(20)).lease(Duration.ofMinutes(5)).build()) {
      first.start();
      enqueue("a");
      awaitWaiting("a");
      second.start();
      first.close();
      enqueue("b");
      awaitWaiting("a", "b");
    }
  }

  @Test
  void moreRowsThanOneSweepTakesAreSentWithoutWaiting() throws SQLException {
    String[] taskIds = new String[10_500];
    for (int i = 0; i < taskIds.length; i++) {
      taskIds[i] = "job-" + i;
    }
    enqueue(taskIds);
    try (JobRelay relay = relay().poll(Duration.ofMinutes(1)).build()) {
      relay.start();
      await().atMost(PATIENCE).until(() -> count("accepted") == taskIds.length);
    }
    assertThat(own.query("SELECT task_id FROM millrace_enqueued")).isEmpty();
  }

  @Test
  void badSettingsAreNamed() {
    assertThatThrownBy(() -> relay().poll(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("poll must be between");
    assertThatThrownBy(() -> relay().lease(Duration.ofHours(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("lease must be between");
    assertThatThrownBy(() -> relay().tablePrefix("1x").build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("table prefix '1x'");
  }
}
