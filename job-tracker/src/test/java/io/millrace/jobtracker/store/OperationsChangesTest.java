package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.OperationsRows.DAY;
import static io.millrace.jobtracker.store.OperationsRows.HOUR;
import static io.millrace.jobtracker.store.OperationsRows.REPORT;
import static io.millrace.jobtracker.store.OperationsRows.end;
import static io.millrace.jobtracker.store.OperationsRows.idAt;
import static io.millrace.jobtracker.store.OperationsRows.job;
import static io.millrace.jobtracker.store.OperationsRows.oneShotEnd;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.trigger.EndStatus;
import io.millrace.jobtracker.domain.trigger.JobState;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The scripts of {@code scripts/sql} that change something: what the tables are like afterwards.
 */
@ParameterizedClass(name = "{0}")
@EnumSource(TestDatabase.Kind.class)
class OperationsChangesTest {
  private static final List<String> YES = List.of("1", "TRUE", "t");
  private static final List<String> NO = List.of("0", "FALSE", "f");

  @Parameter TestDatabase.Kind kind;
  private TestDatabase database;
  private OperationsRows rows;
  private long now;

  @BeforeEach
  void openDatabase() {
    database = kind.open();
    rows = new OperationsRows(database);
    now = rows.now();
    rows.group("orders");
    rows.group("mail");
  }

  @AfterEach
  void closeDatabase() {
    database.close();
  }

  private SqlScript script(String name) throws Exception {
    return SqlScript.of(kind, name);
  }

  private void hasReport(JobState state, boolean chained) {
    rows.has(job(REPORT, "report", state, chained, now - DAY));
  }

  // One dead trigger again.

  @Test
  void requeueWritesOneWaitingTriggerOfTheNextOrdinalWithTheParametersOfTheJob() throws Exception {
    hasReport(JobState.ACTIVE, false);
    rows.ended(end(idAt(now), "report", EndStatus.DEAD, now));
    SqlScript script = script("requeue").with("execution_id", idAt(now));

    assertThat(script.answer(database)).isEqualTo("requeued");
    assertThat(database.query("SELECT write_seq FROM jt_job")).containsExactly("1");
    assertThat(script.answer(database)).isEqualTo("not requeued: it has been requeued before");

    List<WaitingTrigger> waiting = rows.waiting("orders", "report");
    assertThat(waiting).hasSize(1);
    assertThat(waiting.get(0).key()).isEqualTo(new TriggerKey("report", now, 1));
    assertThat(waiting.get(0).id()).isGreaterThan(idAt(now));
    assertThat(waiting.get(0).jobVersion()).isEqualTo(3);
    assertThat(waiting.get(0).dueAt()).isGreaterThanOrEqualTo(now);
    assertThat(database.query("SELECT params FROM jt_waiting_orders"))
        .containsExactly("{\"a\":\"b\"}");
  }

  @Test
  void requeueRefusesWhatItCouldNotDoSafely() throws Exception {
    hasReport(JobState.ACTIVE, true);
    rows.ended(
        end(idAt(now), "report", EndStatus.DEAD, now),
        end(idAt(now) + 1, "fine", EndStatus.SUCCEEDED, now),
        oneShotEnd(idAt(now) + 2, "once", EndStatus.DEAD, now));
    SqlScript script = script("requeue");

    assertThat(script.with("execution_id", 1).answer(database)).contains("no such execution");
    assertThat(script.with("execution_id", idAt(now)).answer(database)).contains("follow one");
    assertThat(script.with("execution_id", idAt(now) + 1).answer(database)).contains("not dead");
    assertThat(script.with("execution_id", idAt(now) + 2).answer(database)).contains("one-shot");
    assertThat(database.count("jt_waiting_orders")).isZero();
  }

  @Test
  void requeueLeavesAnExtraRunAloneWhoseParametersAreGone() throws Exception {
    hasReport(JobState.ACTIVE, false);
    TriggerKey extra = TriggerKey.extra("report", now, 4);
    rows.ended(end(idAt(now), extra, REPORT, 3, EndStatus.DEAD, now));

    assertThat(script("requeue").with("execution_id", idAt(now)).answer(database))
        .contains("it was extra");
    assertThat(script("requeue-all").answer(database)).isEqualTo("0");
    assertThat(database.count("jt_waiting_orders")).isZero();
  }

  // Many.

  @Test
  void requeueAllRequeuesEachDeadTriggerOnceAndOnlyWhatIsAskedFor() throws Exception {
    hasReport(JobState.ACTIVE, false);
    rows.has(job(REPORT + 1, "chained", JobState.ACTIVE, true, now - DAY));
    rows.has(job(REPORT + 2, "paused", JobState.PAUSED, false, now - DAY));
    for (int i = 0; i < 5; i++) {
      long at = now - HOUR + i;
      rows.ended(end(idAt(at), "report", EndStatus.DEAD, at));
    }
    rows.ended(
        end(idAt(now - 30 * HOUR), "report", EndStatus.DEAD, now - 30 * HOUR),
        end(idAt(now) + 1, "report", EndStatus.SUCCEEDED, now),
        end(idAt(now) + 2, planned("chained"), REPORT + 1, 3, EndStatus.DEAD, now),
        end(idAt(now) + 3, planned("paused"), REPORT + 2, 3, EndStatus.DEAD, now),
        oneShotEnd(idAt(now) + 4, "once", EndStatus.DEAD, now));
    SqlScript script = script("requeue-all").with("most", 3);

    assertThat(script.with("task_id", "another").answer(database)).isEqualTo("0");
    assertThat(script.with("task_id", "report").answer(database)).isEqualTo("3");
    assertThat(script.answer(database)).isEqualTo("2");
    assertThat(script.answer(database)).isEqualTo("0");

    List<WaitingTrigger> waiting = rows.waiting("orders", "report");
    assertThat(waiting)
        .extracting(WaitingTrigger::plannedFor)
        .containsExactly(
            now - HOUR, now - HOUR + 1, now - HOUR + 2, now - HOUR + 3, now - HOUR + 4);
    assertThat(waiting)
        .allMatch(row -> row.key().ordinal() == 1 && row.attempt() == 1 && row.id() >= idAt(now));
    assertThat(database.count("jt_waiting_orders")).isEqualTo(5);
    assertThat(database.count("jt_waiting_orders WHERE params IS NULL")).isZero();
  }

  private TriggerKey planned(String taskId) {
    return TriggerKey.planned(taskId, now);
  }

  /** As it is found after the requeued one has been claimed, and after it has ended. */
  @Test
  void requeueAllKnowsWhatExecutesOrHasEndedSince() throws Exception {
    hasReport(JobState.ACTIVE, false);
    rows.ended(end(idAt(now), "report", EndStatus.DEAD, now));
    assertThat(script("requeue-all").answer(database)).isEqualTo("1");
    WaitingTrigger requeued = rows.waiting("orders", "report").get(0);
    rows.inTransaction(stores -> stores.waiting().delete("orders", List.of(requeued.id())));

    long execution = requeued.id() + 1;
    rows.executes(rows.execution(execution, requeued.withParams(StoredParams.NONE), "w1", now));
    assertThat(script("requeue-all").answer(database)).isEqualTo("0");

    rows.inTransaction(stores -> stores.executing().delete(List.of(execution)));
    rows.ended(end(execution, requeued.key(), REPORT, 3, EndStatus.DEAD, now));
    assertThat(script("requeue-all").answer(database)).isEqualTo("1");
    assertThat(rows.waiting("orders", "report").get(0).key().ordinal()).isEqualTo(2);
  }

  // What waits for a further attempt.

  @Test
  void retryNowMovesRetriesToNowUnderNewIdsAndNothingElse() throws Exception {
    hasReport(JobState.ACTIVE, false);
    WaitingTrigger retry = rows.planned("report", now - 5, now + HOUR, 2);
    rows.waits(
        "orders",
        retry,
        rows.planned("report", now - 4, now - 1, 2),
        rows.planned("report", now - 3, WaitingTrigger.HELD, 2),
        rows.planned("report", now + HOUR),
        rows.oneShot("later", now + HOUR));
    database.execute("UPDATE jt_waiting_orders SET attempt = 3 WHERE task_id = 'later'");
    SqlScript script = script("retry-now");

    assertThat(script.with("task_id", "report").answer(database)).isEqualTo("1");

    WaitingTrigger moved =
        rows.waiting("orders", "report").stream()
            .filter(row -> row.key().equals(retry.key()))
            .findFirst()
            .orElseThrow();
    assertThat(moved.id()).isGreaterThanOrEqualTo(idAt(now));
    assertThat(moved.dueAt()).isBetween(now, rows.now());
    assertThat(moved.attempt()).isEqualTo(2);
    assertThat(moved.plannedFor()).isEqualTo(retry.plannedFor());
    assertThat(database.count("jt_waiting_orders")).isEqualTo(5);

    assertThat(script.answer(database)).isEqualTo("1");
    WaitingTrigger later = rows.waiting("orders", "later").get(0);
    assertThat(later.attempt()).isEqualTo(3);
    assertThat(later.dueAt()).isLessThanOrEqualTo(rows.now());
    assertThat(later.spec()).isEqualTo(OperationsRows.spec(false));
    assertThat(script.answer(database)).isEqualTo("0");
  }

  /**
   * Whoever edited the job deletes these rows in a moment: a new one of the old version must not
   * come.
   */
  @Test
  void retryNowLeavesTriggersOfAnotherVersionOrOfAPausedJobAlone() throws Exception {
    hasReport(JobState.PAUSED, false);
    rows.waits("orders", rows.planned("report", now, now + HOUR, 2));

    assertThat(script("retry-now").answer(database)).isEqualTo("0");
    database.execute("UPDATE jt_job SET state = 'ACTIVE', version = 4");
    assertThat(script("retry-now").answer(database)).isEqualTo("0");
    database.execute("UPDATE jt_job SET version = 3");
    assertThat(script("retry-now").answer(database)).isEqualTo("1");
  }

  // The end of a node group.

  @Test
  void killLeavesNothingOfTheGroupButTheLedgerAndTheOthersAlone() throws Exception {
    hasReport(JobState.ACTIVE, false);
    rows.inTransaction(stores -> stores.jobs().rememberSubmission(REPORT, 2, "submission-0"));
    WaitingTrigger running = rows.oneShot("running", now - 1);
    rows.waits(
        "orders",
        rows.oneShot("once", now + DAY),
        rows.planned("report", now - 1),
        rows.planned("report", now + HOUR),
        rows.planned("report", now - 2, now + HOUR, 2));
    rows.waits("mail", rows.oneShot("another", now));
    rows.executes(rows.execution(idAt(now) + 7, running, "w1", now - 1));
    rows.tells("shop", "orders", "running", now);
    rows.tells("shop", "mail", "another", now);
    rows.ended(end(idAt(now), "report", EndStatus.SUCCEEDED, now));

    assertThat(script("kill-node-group").with("node_group", "orders").answer(database))
        .isEqualTo("removed");

    assertThat(database.stores().nodeGroups().tables()).containsExactly("jt_waiting_mail");
    assertThat(database.query("SELECT name FROM jt_node_group")).containsExactly("mail");
    assertThat(database.count("jt_job")).isZero();
    assertThat(database.count("jt_job_submission")).isZero();
    assertThat(database.count("jt_executing")).isZero();
    assertThat(database.query("SELECT node_group FROM jt_feedback")).containsExactly("mail");
    assertThat(database.count("jt_waiting_mail")).isEqualTo(1);
    assertThat(
            database.query(
                "SELECT CONCAT(task_id, ' ', status, ' ', attempt, ' ', COALESCE(submission_id, '-'))"
                    + " FROM jt_history ORDER BY task_id, planned_for"))
        .containsExactly(
            "once CANCELLED 0 submission-1",
            "report CANCELLED 1 submission-1",
            "report CANCELLED 0 submission-1",
            "report SUCCEEDED 1 -",
            "running CANCELLED 1 submission-1");
    assertThat(database.query("SELECT id FROM jt_history WHERE task_id = 'running'"))
        .containsExactly(String.valueOf(idAt(now) + 7));
    assertThat(
            database.count(
                "jt_history WHERE status = 'CANCELLED' AND is_final AND handler = 'h'"
                    + " AND cause = 'node group removed' AND submitted_by = 'client-1'"))
        .isEqualTo(4);
  }

  @Test
  void killOfWhatIsNotThereChangesNothing() throws Exception {
    hasReport(JobState.ACTIVE, false);

    assertThat(script("kill-node-group").with("node_group", "order").answer(database))
        .isEqualTo("not removed: there is no such node group");
    assertThat(script("kill-node-group").answer(database)).startsWith("not removed");

    assertThat(database.count("jt_job")).isEqualTo(1);
    assertThat(database.count("jt_node_group")).isEqualTo(2);
    assertThat(database.stores().nodeGroups().tables()).hasSize(2);
  }

  @Test
  void killedGroupComesBackEmptyAndAsNew() throws Exception {
    rows.waits("orders", rows.oneShot("once", now + DAY));
    assertThat(script("kill-node-group").with("node_group", "orders").answer(database))
        .isEqualTo("removed");

    rows.group("orders");

    assertThat(database.count("jt_waiting_orders")).isZero();
    assertThat(database.query("SELECT epoch FROM jt_node_group WHERE name = 'orders'"))
        .containsExactly("0");
    rows.waits("orders", rows.oneShot("once", now));
    assertThat(rows.waiting("orders", "once")).hasSize(1);
  }

  // What is old.

  @Test
  void purgesDeleteOldRowsChunkByChunkAndKeepTheRest() throws Exception {
    long old = now - 40 * DAY;
    rows.ended(
        end(idAt(old), "old-1", EndStatus.SUCCEEDED, old),
        end(idAt(old) + 1, "old-2", EndStatus.SUCCEEDED, old + 1),
        end(idAt(old) + 2, "ended-late", EndStatus.SUCCEEDED, now),
        end(idAt(now), "new", EndStatus.SUCCEEDED, now + 1));
    for (long id : List.of(idAt(old), idAt(old) + 1, idAt(now))) {
      rows.logs(id, 1, now, "a line");
    }

    for (String name : List.of("purge-history", "purge-job-log")) {
      SqlScript script = script(name).with("chunk", 1);
      assertThat(script.answer(database)).isIn(YES);
      assertThat(script.answer(database)).isIn(NO);
    }

    assertThat(database.query("SELECT task_id FROM jt_history ORDER BY id"))
        .containsExactly("ended-late", "new");
    assertThat(database.query("SELECT execution_id FROM jt_job_log"))
        .containsExactly(String.valueOf(idAt(now)));
  }

  @Test
  void purgeFeedbackDeletesThatOfOneClientGroup() throws Exception {
    rows.tells("gone", "orders", "a", now);
    rows.tells("gone", "orders", "b", now);
    rows.tells("alive", "orders", "c", now);
    SqlScript script = script("purge-feedback").with("client_group", "gone").with("chunk", 1);

    assertThat(script.answer(database)).isIn(YES);
    assertThat(script.answer(database)).isIn(NO);

    assertThat(database.query("SELECT task_id FROM jt_feedback")).containsExactly("c");
  }

  @Test
  void purgeEndedJobsKeepsWhatLivesWhatIsNewAndWhatHasRowsLeft() throws Exception {
    long old = now - 40 * DAY;
    rows.has(job(1, "over-1", JobState.FINISHED, false, old));
    rows.has(job(2, "over-2", JobState.CANCELLED, false, old));
    rows.has(job(3, "lives", JobState.ACTIVE, false, old));
    rows.has(job(4, "new", JobState.CANCELLED, false, now - DAY));
    rows.has(job(5, "executes", JobState.CANCELLED, false, old));
    rows.has(job(6, "waits", JobState.FINISHED, false, old));
    rows.has(job(7, "ran", JobState.FINISHED, false, old));
    rows.executes(rows.execution(11, rows.planned("executes", old), "w1", old));
    rows.waits("orders", rows.planned("waits", old));
    rows.ended(end(idAt(now), planned("ran"), 7, 3, EndStatus.SUCCEEDED, now));
    rows.inTransaction(
        stores -> {
          stores.jobs().rememberSubmission(1, 2, "s");
          stores.jobs().rememberSubmission(3, 2, "s");
        });
    SqlScript script = script("purge-ended-jobs").with("chunk", 1);

    assertThat(script.answer(database)).isIn(YES);
    assertThat(script.answer(database)).isIn(YES);
    assertThat(script.answer(database)).isIn(NO);

    assertThat(database.query("SELECT task_id FROM jt_job ORDER BY id"))
        .containsExactly("lives", "new", "executes", "waits", "ran");
    assertThat(database.query("SELECT job_id FROM jt_job_submission")).containsExactly("3");
  }

  @Test
  void purgeEndedJobsNeverKeepsLessThanTwoDays() throws Exception {
    rows.has(job(1, "over", JobState.FINISHED, false, now - DAY));

    assertThat(script("purge-ended-jobs").with("keep_days", 0).answer(database)).isIn(NO);

    assertThat(database.count("jt_job")).isEqualTo(1);
  }
}
