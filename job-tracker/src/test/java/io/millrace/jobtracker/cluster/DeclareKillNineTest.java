package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.jobtracker.fixture.FreePort;
import io.millrace.jobtracker.store.TestDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Versions of an application that declare 2,000 jobs each, in eight pages, in processes of their
 * own. The application is killed between two pages, and so is the tracker. {@link
 * DeclareClusterTest} is the short form, in one process.
 */
@Tag("long")
@Tag("database")
@Timeout(180)
class DeclareKillNineTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;

  private final int port = FreePort.find();
  private final List<ChildJvm> processes = new ArrayList<>();
  private final TestDatabase database = TestDatabase.onServer();
  private int started;

  @AfterEach
  void end() {
    processes.forEach(ChildJvm::close);
    database.close();
  }

  private ChildJvm startTracker() {
    return kept(TrackerProcess.start(directory.resolve("tracker.log"), port, database.config()));
  }

  private ChildJvm declare(int revision, int from, int to) {
    Path log = directory.resolve("application-" + ++started + ".log");
    return kept(DeclaringProcess.start(log, port, revision, from, to));
  }

  private ChildJvm kept(ChildJvm process) {
    processes.add(process);
    return process;
  }

  private static void awaitEnd(ChildJvm application, String status) {
    assertThat(application.stop()).as(application.said()).isZero();
    assertThat(application.said()).contains("the declaration is " + status);
  }

  @Test
  void setsAreExactAndNothingIsRetiredBeforeTheLastPage() throws SQLException {
    ChildJvm tracker = startTracker();
    awaitEnd(declare(1, 0, 2_000), "DONE");
    assertSet(1, 0, 2_000);

    try (Held unused = Held.job(database, 1_600)) {
      ChildJvm dying = declare(2, 500, 2_500);
      awaitPages(2, 4);
      awaitWaitingPage();
      dying.kill();
    }
    awaitPages(2, 5);
    assertNothingIsRetired(0, 2_000);
    awaitEnd(declare(2, 500, 2_500), "DONE");
    assertSet(2, 500, 2_500);

    ChildJvm patient;
    try (Held unused = Held.job(database, 2_300)) {
      patient = declare(3, 1_000, 3_000);
      awaitPages(3, 5);
      awaitWaitingPage();
      tracker.kill();
    }
    assertNothingIsRetired(500, 2_500);
    tracker = startTracker();
    awaitEnd(patient, "DONE");
    assertSet(3, 1_000, 3_000);

    awaitEnd(declare(2, 500, 2_500), "OUTDATED");
    awaitEnd(declare(3, 1_000, 3_000), "DONE");
    assertSet(3, 1_000, 3_000);
    assertThat(tracker.stop()).as(tracker.said()).isZero();
  }

  /** Waits until so many pages of this revision are stored. */
  private void awaitPages(int revision, int pages) {
    String sql =
        "SELECT pages FROM jt_declaration_owner WHERE owner = '%s' AND revision = %d"
            .formatted(DeclaringProcess.OWNER, revision);
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(
            () -> assertThat(database.query(sql)).containsExactly(String.valueOf(pages)));
  }

  /** Waits until the next page has reached the database, where it waits for the row of a job. */
  private void awaitWaitingPage() {
    String sql =
        "SELECT COUNT(*) FROM information_schema.innodb_trx JOIN information_schema.processlist"
            + " ON id = trx_mysql_thread_id WHERE db = DATABASE() AND trx_state = 'LOCK WAIT'";
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(database.query(sql)).containsExactly("1"));
  }

  /** The jobs of the set that stood before, of which the new one has not all, are still there. */
  private void assertNothingIsRetired(int from, int to) {
    assertThat(active("")).containsAll(taskIds(from, to));
    assertThat(
            database.query(
                "SELECT task_id FROM jt_declared WHERE retired_at IS NOT NULL AND task_id >= '"
                    + DeclaringProcess.taskId(from)
                    + "'"))
        .isEmpty();
  }

  private void assertSet(int revision, int from, int to) {
    assertThat(active("")).isEqualTo(taskIds(from, to));
    assertThat(active(" AND params LIKE '%\"" + revision + "\"%'")).hasSize(to - from);
  }

  private List<String> active(String condition) {
    return database.query(
        "SELECT task_id FROM jt_job WHERE state = 'ACTIVE'" + condition + " ORDER BY task_id");
  }

  private static List<String> taskIds(int from, int to) {
    return IntStream.range(from, to).mapToObj(DeclaringProcess::taskId).toList();
  }

  /** The row of a declared job, which is locked until this is closed: its page waits so long. */
  private record Held(Connection connection) implements AutoCloseable {

    static Held job(TestDatabase database, int number) throws SQLException {
      Connection connection = database.connect();
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        int rows =
            statement.executeUpdate(
                "UPDATE jt_declared SET write_seq = write_seq + 1 WHERE node_group = '%s' AND task_id = '%s'"
                    .formatted(DeclaringProcess.NODE_GROUP, DeclaringProcess.taskId(number)));
        assertThat(rows).isEqualTo(1);
      }
      return new Held(connection);
    }

    @Override
    public void close() throws SQLException {
      connection.rollback();
      connection.close();
    }
  }
}
