package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.OperationsRows.DAY;
import static io.millrace.jobtracker.store.OperationsRows.HOUR;
import static io.millrace.jobtracker.store.OperationsRows.MINUTE;
import static io.millrace.jobtracker.store.OperationsRows.REPORT;
import static io.millrace.jobtracker.store.OperationsRows.end;
import static io.millrace.jobtracker.store.OperationsRows.idAt;
import static io.millrace.jobtracker.store.OperationsRows.job;
import static io.millrace.jobtracker.store.OperationsRows.oneShotEnd;
import static io.millrace.jobtracker.store.OperationsRows.skipped;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * The scripts of {@code scripts/sql} that only ask, over one store in which each finds something.
 */
@ParameterizedClass(name = "{0}")
@EveryDatabase
class OperationsQuestionsTest {
  private static final DateTimeFormatter UTC =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);
  private static final long HUNG = 4_711;

  static TestDatabase database;
  static long now;

  @Parameter TestDatabase.Kind kind;

  /**
   * Group orders, served: a backlog, jobs in every state, runs of the last hours. Group mail, whose
   * tracker is gone: nothing.
   */
  @BeforeParameterizedClassInvocation
  static void fill(TestDatabase.Kind kind) {
    database = kind.open();
    OperationsRows rows = new OperationsRows(database);
    now = rows.now();
    rows.group("orders");
    rows.group("mail");
    TrackerStore trackers = database.stores().trackers();
    assertThat(trackers.acquire("alive", "a:1", now, now + HOUR).number()).isZero();
    assertThat(trackers.acquire("gone", "b:1", now, now + 1).number()).isEqualTo(1);
    assertThat(database.stores().nodeGroups().takeOwnership("orders", 0, 0)).isTrue();
    assertThat(database.stores().nodeGroups().takeOwnership("mail", 1, 0)).isTrue();
    trackers.retire(1, "gone", now - MINUTE);

    rows.has(job(REPORT, "report", JobState.ACTIVE, false, now - 2 * DAY));
    rows.has(job(REPORT + 1, "digest", JobState.PAUSED, false, now - 3 * DAY));
    rows.has(job(REPORT + 2, "forgotten", JobState.ACTIVE, false, now - 2 * DAY));
    rows.has(job(REPORT + 3, "over", JobState.FINISHED, false, now - 2 * DAY));
    rows.waits(
        "orders",
        rows.oneShot("late-1s", now - 1_000),
        rows.oneShot("late-5s", now - 5_000),
        rows.oneShot("future", now + DAY),
        rows.planned("report", now - 2_000),
        rows.planned("report", now - 3_000, now + HOUR, 2),
        rows.planned("report", now - 4_000, WaitingTrigger.HELD, 1));
    rows.executes(
        rows.execution(idAt(now), rows.oneShot("young", now), "w2", now),
        rows.execution(HUNG, rows.planned("report", now - 3 * HOUR), "w1", now - 2 * HOUR));
    rows.logs(HUNG, 1, now - 2 * HOUR, "begins");
    rows.logs(HUNG, 2, now - 30 * MINUTE, "copies");
    rows.ended(
        end(idAt(now - 10 * MINUTE), "report", LedgerStatus.SUCCEEDED, now - 10 * MINUTE),
        end(idAt(now - 9 * MINUTE), "report", LedgerStatus.RETRIED, now - 9 * MINUTE),
        end(idAt(now - 7 * MINUTE), "report", LedgerStatus.RESCUED, now - 7 * MINUTE),
        skipped(idAt(now - 6 * MINUTE), "report", Cause.of(CauseCode.MISSED), now - 6 * MINUTE, 12),
        oneShotEnd(idAt(now - 5 * MINUTE), "close:1", LedgerStatus.FAILED, now - 5 * MINUTE),
        oneShotEnd(idAt(now - 4 * MINUTE), "close:2", LedgerStatus.SUCCEEDED, now - 4 * MINUTE),
        end(
            idAt(now - 2 * DAY) + 1,
            TriggerKey.planned("forgotten", now - 2 * DAY),
            REPORT + 2,
            3,
            LedgerStatus.SUCCEEDED,
            now - 2 * DAY));
    rows.died(
        end(idAt(now - 8 * MINUTE), "report", LedgerStatus.DEAD, now - 8 * MINUTE),
        end(idAt(now - 3 * DAY), "report", LedgerStatus.DEAD, now - 3 * DAY),
        oneShotEnd(idAt(now - 4 * DAY), "left", LedgerStatus.DEAD, now - 4 * DAY));
    assertThat(rows.settles(idAt(now - 4 * DAY), null)).isTrue();
    rows.tells("shop", "orders", "close:1", now - HOUR);
    rows.tells("shop", "orders", "close:2", now);
    rows.tells("till", "orders", "close:2", now);
  }

  @AfterParameterizedClassInvocation
  static void closeDatabase() {
    database.close();
  }

  private SqlScript script(String name) throws Exception {
    return SqlScript.of(kind, name);
  }

  private List<Map<String, String>> run(String name) throws Exception {
    return script(name).run(database);
  }

  private static String utc(long millis) {
    return UTC.format(Instant.ofEpochMilli(millis));
  }

  @Test
  void trackersTellsTheLivingFromTheGone() throws Exception {
    List<Map<String, String>> rows = run("trackers");

    assertThat(rows).extracting(row -> row.get("state")).containsExactly("live", "gone");
    assertThat(rows).extracting(row -> row.get("address")).containsExactly("a:1", "b:1");
    assertThat(rows).extracting(row -> row.get("node_groups")).containsExactly("1", "1");
    assertThat(Long.parseLong(rows.get(0).get("lease_left_ms"))).isBetween(1L, HOUR);
  }

  @Test
  void nodeGroupsShowsWhoServesEachAndWhatItHas() throws Exception {
    List<Map<String, String>> rows = run("node-groups");

    assertThat(rows).extracting(row -> row.get("node_group")).containsExactly("mail", "orders");
    assertThat(rows.get(0))
        .containsEntry("state", "its tracker is gone")
        .containsEntry("active_jobs", "0")
        .containsEntry("executing", "0");
    assertThat(rows.get(1))
        .containsEntry("state", "served")
        .containsEntry("address", "a:1")
        .containsEntry("active_jobs", "2")
        .containsEntry("paused_jobs", "1")
        .containsEntry("executing", "2")
        .containsEntry("table_name", "jt_waiting_orders");
  }

  @Test
  void backlogCountsWhatWaitsAndWhatIsDueInEachGroup() throws Exception {
    List<Map<String, String>> rows = run("backlog-per-group");

    assertThat(rows).extracting(row -> row.get("node_group")).containsExactly("orders", "mail");
    assertThat(rows.get(0)).containsEntry("waiting", "6").containsEntry("due", "3");
    assertThat(Long.parseLong(rows.get(0).get("oldest_late_ms")))
        .isBetween(5_000L, 5_000L + database.stores().time().databaseNow() - now + 1);
    assertThat(rows.get(1)).containsEntry("waiting", "0").containsEntry("oldest_late_ms", null);
  }

  @Test
  void lanesTellWhatRequiresWhichLabels() throws Exception {
    database.stores().lanes().insert("mail", new Lane(1, List.of("eu", "gpu")));
    database.stores().lanes().insert("orders", new Lane(2, List.of("gpu")));
    database.execute("UPDATE jt_waiting_orders SET lane = 2 WHERE due_at <= " + now);
    List<Map<String, String>> rows = run("lanes");
    database.execute("UPDATE jt_waiting_orders SET lane = 0");
    database.execute("DELETE FROM jt_lane");

    assertThat(rows).hasSize(2);
    assertThat(rows.get(0))
        .containsEntry("node_group", "orders")
        .containsEntry("labels", "gpu")
        .containsEntry("waiting", "3")
        .containsEntry("due", "3");
    assertThat(rows.get(1)).containsEntry("labels", "eu gpu").containsEntry("waiting", "0");
  }

  @Test
  void backlogPerJobSetsEachRecurringJobApartFromTheOneShots() throws Exception {
    List<Map<String, String>> rows = run("backlog-per-job");

    assertThat(rows).extracting(row -> row.get("task_id")).containsExactly("(one-shots)", "report");
    assertThat(rows.get(0)).containsEntry("waiting", "3").containsEntry("due", "2");
    assertThat(rows.get(1))
        .containsEntry("waiting", "3")
        .containsEntry("due", "1")
        .containsEntry("retries", "1")
        .containsEntry("held", "1");
    assertThat(Long.parseLong(rows.get(1).get("oldest_late_ms"))).isGreaterThanOrEqualTo(2_000);
    assertThat(script("backlog-per-job").with("most", 1).run(database)).hasSize(1);
    assertThat(script("backlog-per-job").with("node_group", "mail").run(database)).isEmpty();
  }

  @Test
  void oldestDueListsTheLatestFirstAndNothingOfTheFuture() throws Exception {
    assertThat(run("oldest-due"))
        .extracting(row -> row.get("task_id"))
        .containsExactly("late-5s", "report", "late-1s");
    assertThat(script("oldest-due").with("most", 1).run(database))
        .extracting(row -> row.get("task_id"))
        .containsExactly("late-5s");
  }

  @Test
  void nextDueListsWhatIsToComeAndNothingHeld() throws Exception {
    List<Map<String, String>> rows = run("next-due");

    assertThat(rows).extracting(row -> row.get("task_id")).containsExactly("report", "future");
    assertThat(rows.get(0).get("due_utc")).startsWith(utc(now + HOUR));
    assertThat(Long.parseLong(rows.get(0).get("due_in_ms"))).isBetween(1L, HOUR);
    assertThat(script("next-due").with("most", 1).run(database)).hasSize(1);
  }

  @Test
  void executingShowsEachExecutionAndCountsThemByWorker() throws Exception {
    List<Map<String, String>> rows = run("executing");

    assertThat(rows).hasSize(4);
    assertThat(rows.subList(0, 2))
        .extracting(row -> row.get("task_id"))
        .containsExactly("report", "young");
    assertThat(rows.get(2)).containsEntry("worker_id", "w1").containsEntry("executions", "1");
  }

  @Test
  void stuckShowsWhatIsLongUnderWayAndHowLongItTakesOtherwise() throws Exception {
    List<Map<String, String>> rows = run("stuck");

    assertThat(rows).hasSize(1);
    assertThat(rows.get(0))
        .containsEntry("task_id", "report")
        .containsEntry("minutes_under_way", "120")
        .containsEntry("longest_before_minutes", "0")
        .containsEntry("minutes_since_last_line", "30")
        .containsEntry("lease", "watched")
        .containsEntry("execution_id", String.valueOf(HUNG));
    assertThat(script("stuck").with("minutes", 300).run(database)).isEmpty();
  }

  @Test
  void jobLogShowsTheLatestLinesInOrder() throws Exception {
    SqlScript script = script("job-log").with("execution_id", HUNG);

    assertThat(script.run(database))
        .extracting(row -> row.get("line"))
        .containsExactly("begins", "copies");
    assertThat(script.with("most", 1).run(database))
        .extracting(row -> row.get("line"))
        .containsExactly("copies");
    assertThat(script.run(database).get(1).get("logged_utc")).startsWith(utc(now - 30 * MINUTE));
  }

  @Test
  void resultShowsWhatTheJobOfAnExecutionReturned() throws Exception {
    long executionId = idAt(now - HOUR);
    new OperationsRows(database).returned(executionId, "{\"total\":1}");
    SqlScript script = script("result").with("execution_id", executionId);

    assertThat(script.run(database))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row).containsEntry("result", "{\"total\":1}");
              assertThat(row).containsEntry("result_bytes", "11");
            });
    assertThat(script.with("execution_id", 1).run(database)).isEmpty();
  }

  @Test
  void failuresCountsWhatWentWrongByJobAndShowsTheLastMessage() throws Exception {
    List<Map<String, String>> rows = run("failures-per-job");

    assertThat(rows).extracting(row -> row.get("job")).containsExactly("report", "one-shots of h");
    assertThat(rows.get(0))
        .containsEntry("dead", "1")
        .containsEntry("retried", "1")
        .containsEntry("rescued", "1")
        .containsEntry("succeeded", "1")
        .containsEntry("execution_id", String.valueOf(idAt(now - 7 * MINUTE)))
        .containsEntry("last_message", "broken \tat a line");
    assertThat(rows.get(1)).containsEntry("failed", "1").containsEntry("succeeded", "1");
    assertThat(script("failures-per-job").with("most", 1).run(database)).hasSize(1);
    assertThat(script("failures-per-job").with("hours", 100).run(database).get(0))
        .containsEntry("dead", "2");
  }

  @Test
  void deadListsOpenDeadTriggersOfTheLastHoursOnly() throws Exception {
    assertThat(run("dead"))
        .extracting(row -> row.get("execution_id"))
        .containsExactly(String.valueOf(idAt(now - 8 * MINUTE)));
    assertThat(run("dead").get(0))
        .containsEntry("message", "broken \tat a line")
        .containsEntry("cause", "ATTEMPTS_USED_UP")
        .containsEntry("worker_id", "w1")
        .containsEntry("kind", "recurring");
    assertThat(script("dead").with("hours", 1_000).run(database)).hasSize(2);
  }

  @Test
  void resultsPerWorkerCountsWhatEachEnded() throws Exception {
    List<Map<String, String>> rows = run("results-per-worker");

    assertThat(rows).hasSize(1);
    assertThat(rows.get(0))
        .containsEntry("worker_id", "w1")
        .containsEntry("executions", "6")
        .containsEntry("succeeded", "2")
        .containsEntry("failed", "3")
        .containsEntry("rescued", "1");
    assertThat(Double.parseDouble(rows.get(0).get("average_ms"))).isEqualTo(1_000);
  }

  @Test
  void endsPerHourAddUpToWhatTheLedgerHas() throws Exception {
    List<Map<String, String>> rows = run("ends-per-hour");

    assertThat(rows).hasSizeBetween(1, 2);
    assertThat(rows.get(rows.size() - 1).get("hour_utc"))
        .startsWith(utc((now - 4 * MINUTE) / HOUR * HOUR));
    assertThat(sum(rows, "succeeded")).isEqualTo(2);
    assertThat(sum(rows, "failed")).isEqualTo(2);
    assertThat(sum(rows, "repeated")).isEqualTo(2);
    assertThat(sum(rows, "instants_not_run")).isEqualTo(12);
    assertThat(rows.get(0)).containsEntry("latest_start_ms", "20");
  }

  private static long sum(List<Map<String, String>> rows, String column) {
    return rows.stream().mapToLong(row -> Long.parseLong(row.get(column))).sum();
  }

  @Test
  void slowJobsShowsHowLongEachRanAndHowLateItWas() throws Exception {
    List<Map<String, String>> rows = run("slow-jobs");

    assertThat(rows).extracting(row -> row.get("job")).containsExactly("one-shots of h", "report");
    assertThat(rows.get(1))
        .containsEntry("runs", "4")
        .containsEntry("longest_ms", "1000")
        .containsEntry("busy_ms", "4000")
        .containsEntry("latest_ms", "20");
    assertThat(script("slow-jobs").with("most", 1).run(database)).hasSize(1);
  }

  @Test
  void notRunCountsInstantsByCause() throws Exception {
    List<Map<String, String>> rows = run("not-run");

    assertThat(rows).hasSize(1);
    assertThat(rows.get(0))
        .containsEntry("task_id", "report")
        .containsEntry("cause", "MISSED")
        .containsEntry("instants", "12");
    assertThat(rows.get(0).get("from_utc")).startsWith(utc(now - 6 * MINUTE));
  }

  @Test
  void jobHistoryShowsWhatARecurringJobDidBetweenTwoInstants() throws Exception {
    SqlScript script =
        script("job-history")
            .with("from_utc", utc(now - 9 * MINUTE - 30_000))
            .with("until_utc", utc(now - 5 * MINUTE - 30_000));

    List<Map<String, String>> rows = script.run(database);

    assertThat(rows)
        .extracting(row -> row.get("status"))
        .containsExactly("RETRIED", "DEAD", "RESCUED", "SKIPPED");
    assertThat(rows.get(0))
        .containsEntry("late_ms", "20")
        .containsEntry("ran_ms", "1000")
        .containsEntry("message", "broken \tat a line");
    assertThat(rows.get(0).get("planned_utc")).startsWith(utc(now - 9 * MINUTE));
    assertThat(rows.get(3)).containsEntry("instants", "12");
  }

  @Test
  void jobHistoryFindsAOneShotToo() throws Exception {
    SqlScript script =
        script("job-history").with("from_utc", utc(now - HOUR)).with("until_utc", utc(now + HOUR));

    assertThat(script.with("task_id", "close:1").run(database))
        .extracting(row -> row.get("status"))
        .containsExactly("FAILED");
    assertThat(
            script
                .with("task_id", "close:1")
                .with("until_utc", utc(now - 30 * MINUTE))
                .run(database))
        .isEmpty();
  }

  @Test
  void jobsListsWhatIsActiveOrPaused() throws Exception {
    List<Map<String, String>> rows = run("jobs");

    assertThat(rows)
        .extracting(row -> row.get("task_id"))
        .containsExactly("digest", "forgotten", "report");
    assertThat(rows.get(2).get("accepted_utc")).startsWith(utc(now - 2 * DAY));
    assertThat(rows.get(2).get("schedule")).contains("30");
    assertThat(script("jobs").with("node_group", "orders").run(database)).hasSize(3);
    assertThat(script("jobs").with("node_group", "mail").run(database)).isEmpty();
  }

  @Test
  void pausedJobsSaysWhoPausedWhatAndWhy() throws Exception {
    List<Map<String, String>> rows = run("paused-jobs");

    assertThat(rows).hasSize(1);
    assertThat(rows.get(0))
        .containsEntry("task_id", "digest")
        .containsEntry("minutes_paused", String.valueOf(3 * DAY / MINUTE))
        .containsEntry("paused_by", "shop/client-1")
        .containsEntry("pause_reason", "stocktaking");
  }

  @Test
  void silentJobsListsLiveJobsOfWhichNothingRan() throws Exception {
    List<Map<String, String>> rows = run("silent-jobs");

    assertThat(rows).extracting(row -> row.get("task_id")).containsExactly("digest", "forgotten");
    assertThat(rows.get(0)).containsEntry("state", "PAUSED").containsEntry("last_run_utc", null);
    assertThat(rows.get(1).get("last_run_utc")).startsWith(utc(now - 2 * DAY));
  }

  @Test
  void feedbackBacklogCountsWhatEachClientGroupHasNotHeard() throws Exception {
    List<Map<String, String>> rows = run("feedback-backlog");

    assertThat(rows).extracting(row -> row.get("client_group")).containsExactly("shop", "till");
    assertThat(rows).extracting(row -> row.get("ends")).containsExactly("2", "1");
    assertThat(Long.parseLong(rows.get(0).get("oldest_seconds"))).isGreaterThanOrEqualTo(3_600);
  }

  @Test
  void tableSizesListsEveryTableOfTheStoreOnce() throws Exception {
    List<Map<String, String>> rows = run("table-sizes");

    assertThat(rows)
        .extracting(row -> row.get("table_name"))
        .doesNotHaveDuplicates()
        .contains("jt_history", "jt_job_log", "jt_waiting_orders", "jt_waiting_mail");
    assertThat(rows)
        .filteredOn(row -> row.get("table_name").equals("jt_waiting_orders"))
        .extracting(row -> row.get("node_group"))
        .containsExactly("orders");
    assertThat(rows).allMatch(row -> row.get("megabytes") != null && row.get("about_rows") != null);
  }
}
