package io.millrace.jobtracker.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.common.model.LogLevel;
import io.millrace.common.model.RetryPolicy;
import io.millrace.common.model.Schedule;
import io.millrace.common.protocol.LogLine;
import io.millrace.jobtracker.domain.trigger.EndStatus;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.JobDefinition;
import io.millrace.jobtracker.domain.trigger.JobState;
import io.millrace.jobtracker.domain.trigger.LedgerRow;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The scripts of {@code scripts/sql} against the tables as they are. */
class OperationsSqlTest {
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final long JOB_ID = 70;

  @Test
  void bothDatabasesHaveTheSameScriptsAndTheReadmeListsThem() throws IOException {
    Set<String> h2 = names(SqlScript.directory(TestDatabase.Kind.H2));

    assertThat(names(SqlScript.directory(TestDatabase.Kind.MARIADB))).isEqualTo(h2);
    assertThat(Files.readString(SqlScript.DIRECTORY.resolve("README.md"))).contains(h2);
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.Kind.class)
  void everyScriptSaysWhenToUseItAndRunsOnAnEmptyStore(TestDatabase.Kind kind) throws Exception {
    try (TestDatabase database = kind.open()) {
      for (String file : names(SqlScript.directory(kind))) {
        assertThat(Files.readString(SqlScript.directory(kind).resolve(file)))
            .startsWith("-- ")
            .contains("-- When:", "-- Set:")
            .containsPattern("-- (Reads|Locks):");
        SqlScript.of(kind, file.replace(".sql", "")).run(database);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.Kind.class)
  void backlogCountsWhatWaitsAndWhatIsDueInEachGroup(TestDatabase.Kind kind) throws Exception {
    try (TestDatabase database = kind.open()) {
      long now = storeWithTwoGroups(database);

      List<Map<String, String>> rows = SqlScript.of(kind, "backlog-per-group").run(database);

      assertThat(rows).extracting(row -> row.get("node_group")).containsExactly("orders", "mail");
      assertThat(rows.get(0)).containsEntry("waiting", "3").containsEntry("due", "2");
      assertThat(Long.parseLong(rows.get(0).get("oldest_late_ms")))
          .isBetween(5_000L, 5_000L + database.stores().time().databaseNow() - now + 1);
      assertThat(rows.get(1)).containsEntry("waiting", "0").containsEntry("oldest_late_ms", null);
    }
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.Kind.class)
  void oldestDueListsTheLatestFirstAndNothingOfTheFuture(TestDatabase.Kind kind) throws Exception {
    try (TestDatabase database = kind.open()) {
      storeWithTwoGroups(database);

      SqlScript script = SqlScript.of(kind, "oldest-due");

      assertThat(script.run(database))
          .extracting(row -> row.get("task_id"))
          .containsExactly("late-5s", "late-1s");
      assertThat(script.with("most", 1).run(database))
          .extracting(row -> row.get("task_id"))
          .containsExactly("late-5s");
    }
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.Kind.class)
  void executingShowsEachExecutionAndCountsThemByWorker(TestDatabase.Kind kind) throws Exception {
    try (TestDatabase database = kind.open()) {
      long now = database.stores().time().databaseNow();
      inTransaction(
          database,
          stores ->
              stores
                  .executing()
                  .insert(
                      List.of(
                          execution(1, "young", "w1", now),
                          execution(2, "old", "w1", now - 9_000))));

      List<Map<String, String>> rows = SqlScript.of(kind, "executing").run(database);

      assertThat(rows).hasSize(3);
      assertThat(rows.subList(0, 2))
          .extracting(row -> row.get("task_id"))
          .containsExactly("old", "young");
      assertThat(rows.get(2)).containsEntry("worker_id", "w1").containsEntry("executions", "2");
    }
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.Kind.class)
  void deadListsDeadTriggersOfTheLastHoursOnly(TestDatabase.Kind kind) throws Exception {
    try (TestDatabase database = kind.open()) {
      long now = database.stores().time().databaseNow();
      append(
          database,
          ended(idAt(now - 1_000), "dead", EndStatus.DEAD, now),
          ended(idAt(now - 2_000), "fine", EndStatus.SUCCEEDED, now),
          ended(idAt(now - 2 * DAY), "long-dead", EndStatus.DEAD, now - 2 * DAY));

      SqlScript script = SqlScript.of(kind, "dead");

      assertThat(script.run(database))
          .extracting(row -> row.get("task_id"))
          .containsExactly("dead");
      assertThat(script.run(database).get(0).get("message")).isEqualTo("broken \tat a line");
      assertThat(script.with("hours", 1_000).run(database)).hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.Kind.class)
  void requeueWritesOneWaitingTriggerOfTheNextOrdinal(TestDatabase.Kind kind) throws Exception {
    try (TestDatabase database = kind.open()) {
      long now = storeWithDeadTrigger(database, false);
      SqlScript script = SqlScript.of(kind, "requeue").with("execution_id", idAt(now));

      assertThat(verdict(script, database)).isEqualTo("requeued");
      assertThat(verdict(script, database)).isEqualTo("not requeued: it has been requeued before");

      List<WaitingTrigger> waiting =
          database
              .stores()
              .transactions()
              .inTransaction(
                  "read", () -> database.stores().waiting().findByTask("orders", "report"));
      assertThat(waiting).hasSize(1);
      assertThat(waiting.get(0).key()).isEqualTo(new TriggerKey("report", now, 1));
      assertThat(waiting.get(0).id()).isGreaterThan(idAt(now));
      assertThat(waiting.get(0).jobVersion()).isEqualTo(3);
      assertThat(waiting.get(0).dueAt()).isGreaterThanOrEqualTo(now);
    }
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.Kind.class)
  void requeueRefusesWhatItCouldNotDoSafely(TestDatabase.Kind kind) throws Exception {
    try (TestDatabase database = kind.open()) {
      long now = storeWithDeadTrigger(database, true);
      append(
          database,
          ended(idAt(now) + 1, "fine", EndStatus.SUCCEEDED, now),
          oneShotEnded(idAt(now) + 2, "once", EndStatus.DEAD, now));
      SqlScript script = SqlScript.of(kind, "requeue");

      assertThat(verdict(script.with("execution_id", 1), database)).contains("no such execution");
      assertThat(verdict(script.with("execution_id", idAt(now)), database)).contains("overlap");
      assertThat(verdict(script.with("execution_id", idAt(now) + 1), database))
          .contains("not dead");
      assertThat(verdict(script.with("execution_id", idAt(now) + 2), database))
          .contains("one-shot");
      assertThat(database.count(waitingTable(database))).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(TestDatabase.Kind.class)
  void purgesDeleteOldRowsChunkByChunkAndKeepTheRest(TestDatabase.Kind kind) throws Exception {
    try (TestDatabase database = kind.open()) {
      long now = database.stores().time().databaseNow();
      long old = now - 40 * DAY;
      append(
          database,
          ended(idAt(old), "old-1", EndStatus.SUCCEEDED, old),
          ended(idAt(old) + 1, "old-2", EndStatus.SUCCEEDED, old),
          ended(idAt(old) + 2, "ended-late", EndStatus.SUCCEEDED, now),
          ended(idAt(now), "new", EndStatus.SUCCEEDED, now));
      log(database, idAt(old), idAt(old) + 1, idAt(now));

      for (String name : List.of("purge-history", "purge-job-log")) {
        SqlScript script = SqlScript.of(kind, name).with("chunk", 1);
        assertThat(script.run(database).get(0).get("more")).isIn("1", "TRUE", "t");
        assertThat(script.run(database).get(0).get("more")).isIn("0", "FALSE", "f");
      }

      assertThat(database.query("SELECT task_id FROM jt_history ORDER BY id"))
          .containsExactly("ended-late", "new");
      assertThat(database.query("SELECT execution_id FROM jt_job_log"))
          .containsExactly(String.valueOf(idAt(now)));
    }
  }

  private static Set<String> names(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  private static String verdict(SqlScript script, TestDatabase database) throws SQLException {
    return script.run(database).get(0).get("verdict");
  }

  private static String waitingTable(TestDatabase database) {
    return database.query("SELECT table_name FROM jt_node_group").get(0);
  }

  /** Group orders with two due and one future trigger, group mail with none; returns the time. */
  private static long storeWithTwoGroups(TestDatabase database) {
    database.stores().nodeGroups().ensure("orders", 10);
    database.stores().nodeGroups().ensure("mail", 10);
    long now = database.stores().time().databaseNow();
    inTransaction(
        database,
        stores ->
            stores
                .waiting()
                .insert(
                    "orders",
                    List.of(
                        waiting(1, "late-1s", now - 1_000),
                        waiting(2, "late-5s", now - 5_000),
                        waiting(3, "future", now + DAY))));
    return now;
  }

  private static long storeWithDeadTrigger(TestDatabase database, boolean chained) {
    database.stores().nodeGroups().ensure("orders", 10);
    long now = database.stores().time().databaseNow();
    inTransaction(database, stores -> stores.jobs().insert(job(chained, now)));
    append(database, ended(idAt(now), "report", EndStatus.DEAD, now));
    return now;
  }

  private static void append(TestDatabase database, LedgerRow... rows) {
    inTransaction(database, stores -> stores.ledger().append(List.of(rows)));
  }

  private static void log(TestDatabase database, long... executionIds) {
    for (long id : executionIds) {
      LogLine line = new LogLine(id, 1, Instant.EPOCH, LogLevel.INFO, "a line");
      inTransaction(database, stores -> stores.jobLog().append(List.of(line)));
    }
  }

  private interface Writes {
    void to(Stores stores);
  }

  private static void inTransaction(TestDatabase database, Writes writes) {
    database.stores().transactions().run("fill", () -> writes.to(database.stores()));
  }

  /** The first id a tracker could issue at this time. */
  private static long idAt(long millis) {
    return IdSequence.lowestAt(millis);
  }

  private static TriggerSpec spec(boolean chained) {
    return new TriggerSpec(null, RetryPolicy.DEFAULT, chained, false, "clients", "s", "c");
  }

  private static WaitingTrigger waiting(long id, String taskId, long dueAt) {
    return new WaitingTrigger(
        id,
        TriggerKey.oneShot(taskId),
        id,
        0,
        dueAt,
        dueAt,
        100,
        1,
        dueAt,
        spec(false),
        StoredParams.NONE);
  }

  private static Execution execution(long id, String taskId, String worker, long claimedAt) {
    return Execution.claim(
        id, "orders", waiting(id, taskId, claimedAt), spec(false), worker, claimedAt);
  }

  private static JobDefinition job(boolean chained, long now) {
    return new JobDefinition(
        JOB_ID,
        "orders",
        "report",
        3,
        JobState.ACTIVE,
        new Schedule.Repeat(Duration.ofSeconds(30), null, null),
        spec(chained),
        StoredParams.NONE,
        100,
        now,
        now,
        now,
        1,
        false);
  }

  private static LedgerRow ended(long id, String taskId, EndStatus status, long at) {
    return row(id, TriggerKey.planned(taskId, at), JOB_ID, 3, status, at);
  }

  private static LedgerRow oneShotEnded(long id, String taskId, EndStatus status, long at) {
    return row(id, TriggerKey.oneShot(taskId), id, 0, status, at);
  }

  private static LedgerRow row(
      long id, TriggerKey key, long jobId, int version, EndStatus status, long at) {
    return new LedgerRow(
        id,
        "orders",
        key,
        jobId,
        version,
        status,
        true,
        null,
        1,
        at,
        at,
        1,
        at,
        at,
        at,
        at,
        at,
        "w1",
        null,
        "broken\n\tat a line",
        null,
        null);
  }
}
