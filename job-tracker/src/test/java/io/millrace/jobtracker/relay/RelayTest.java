package io.millrace.jobtracker.relay;

import io.millrace.api.Job;
import io.millrace.internal.rpc.tracker.TrackerLink;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobclient.internal.relay.DatabaseClock;
import io.millrace.jobclient.internal.relay.EnqueueWriter;
import io.millrace.jobclient.internal.relay.RelayDatabase;
import io.millrace.jobclient.internal.relay.RelayDuty;
import io.millrace.jobclient.internal.relay.RelayMeasures;
import io.millrace.jobclient.internal.relay.RelayTables;
import io.millrace.jobclient.internal.request.RequestContext;
import io.millrace.jobclient.internal.request.Timeouts;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Relays over each database, driven by hand: the test calls their passes, and moves the clock of
 * the processes and of the database.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("kinds")
@Tag("database")
@Timeout(120)
abstract class RelayTest {
  static final Duration LEASE = Duration.ofSeconds(15);
  static final RelayTables TABLES = new RelayTables(RelayTables.DEFAULT_PREFIX);

  static AppDatabase database;

  @Parameter AppDatabase.Kind kind;

  final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T00:00:00Z"));
  final ManualTimer timer = new ManualTimer(clock);
  final RelayTracker tracker = new RelayTracker();
  final DatabaseClock databaseClock = ofDatabase -> String.valueOf(clock.millis());
  final EnqueueWriter writer = new EnqueueWriter(TABLES, clock, databaseClock, new Random(1));

  static Stream<AppDatabase.Kind> kinds() {
    return AppDatabase.Kind.all();
  }

  @BeforeParameterizedClassInvocation
  static void openDatabase(AppDatabase.Kind kind) throws SQLException {
    database = kind.open();
    try (Connection connection = database.connect()) {
      TABLES.create(connection);
    }
    database.execute("CREATE TABLE app_order (name VARCHAR(64) PRIMARY KEY)");
  }

  @AfterParameterizedClassInvocation
  static void closeDatabase() {
    database.close();
  }

  @BeforeEach
  void empty() {
    database.execute("DELETE FROM millrace_enqueued");
    database.execute("DELETE FROM millrace_enqueued_rejected");
    database.execute("DELETE FROM app_order");
    database.execute(
        "UPDATE millrace_enqueued_lease SET relay = NULL, holder = NULL, epoch = 0, lease_until = 0");
  }

  RelayDuty relay() {
    return relay(tracker.link(), source());
  }

  RelayDuty relay(TrackerLink link, DataSource source) {
    return relay(link, source, RelayMeasures.NONE);
  }

  RelayDuty relay(TrackerLink link, DataSource source, RelayMeasures measures) {
    RequestContext context =
        new RequestContext(
            link,
            new TimedExecutor(clock, timer, Runnable::run),
            new Random(2),
            Timeouts.of(Duration.ofSeconds(3)));
    return new RelayDuty(
        context, new RelayDatabase(source, databaseClock), TABLES, LEASE, measures);
  }

  static DataSource source() {
    return PlainSource.over(database::connect);
  }

  /** One pass. */
  void run(RelayDuty relay) {
    relay.runOnce(clock.millis());
  }

  static Connection begin() throws SQLException {
    Connection connection = database.connect();
    connection.setAutoCommit(false);
    return connection;
  }

  static Job job(String taskId) {
    return Job.builder("orders", taskId).param("name", taskId).build();
  }

  /** Enqueues jobs in a transaction of their own, and commits it. */
  void enqueue(String... taskIds) throws SQLException {
    try (Connection connection = begin()) {
      writer.enqueue(connection, Stream.of(taskIds).map(RelayTest::job).toList());
      connection.commit();
    }
  }

  void cancel(String taskId) throws SQLException {
    try (Connection connection = begin()) {
      writer.cancel(connection, "orders", taskId);
      connection.commit();
    }
  }

  List<String> left() {
    return database.query("SELECT task_id FROM millrace_enqueued ORDER BY id");
  }

  List<String> rejected(String column) {
    return database.query("SELECT " + column + " FROM millrace_enqueued_rejected ORDER BY id");
  }
}
