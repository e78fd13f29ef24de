package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.OperationsRows.DAY;
import static io.millrace.jobtracker.store.OperationsRows.HOUR;
import static io.millrace.jobtracker.store.OperationsRows.REPORT;
import static io.millrace.jobtracker.store.OperationsRows.end;
import static io.millrace.jobtracker.store.OperationsRows.idAt;
import static io.millrace.jobtracker.store.OperationsRows.job;
import static io.millrace.jobtracker.store.OperationsRows.oneShotEnd;
import static io.millrace.jobtracker.store.OperationsRows.takingTurns;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.OverlapPolicy;
import io.millrace.api.TraceContext;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.PartDraft;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.JobVersion;
import io.millrace.jobtracker.domain.job.JobVersion.Author;
import io.millrace.jobtracker.domain.job.JobVersion.Source;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Replay;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.Submission;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerRecord;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.batch.BatchStore;
import io.millrace.jobtracker.store.kept.KeptStore.Kept;
import io.millrace.jobtracker.store.kept.KeptStore.Kind;
import io.millrace.jobtracker.store.kept.KeptStore.Run;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * The scripts of {@code scripts/sql} that change something: what the tables are like afterwards.
 */
@ParameterizedClass(name = "{0}")
@EveryDatabase(takesLong = true)
class OperationsChangesTest {
  private static final List<String> YES = List.of("1", "TRUE", "t");
  private static final List<String> NO = List.of("0", "FALSE", "f");
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

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

  // Going back to an older version.

  private static final FeatureLevel SECOND = new FeatureLevel(2, "batches");

  private static TriggerSpec needing(@Nullable FeatureLevel level) {
    TriggerSpec spec = OperationsRows.spec(false);
    return new TriggerSpec(
        spec.handler(),
        spec.retry(),
        null,
        null,
        null,
        false,
        false,
        spec.clientGroup(),
        spec.submissionId(),
        spec.submittedBy(),
        null,
        null,
        level,
        null,
        null,
        null,
        null,
        null);
  }

  private JobDefinition needing(long id, String taskId, JobState state) {
    return OperationsRows.job(id, taskId, state, needing(SECOND), now - DAY);
  }

  private WaitingTrigger waitingFor(String taskId) {
    WaitingTrigger row = rows.oneShot(taskId, now);
    return WaitingTrigger.oneShot(
        row.id(), taskId, now, 100, now, needing(SECOND), StoredParams.NONE);
  }

  private String required() {
    return database.stores().trackers().requiredLevel().toString();
  }

  @Test
  void requiredLevelIsLoweredIfNothingNeedsMore() throws Exception {
    SqlScript script = script("lower-feature-level");
    assertThat(script.answer(database)).isEqualTo("not lowered: the required level is 0");
    database.stores().trackers().require(SECOND);
    hasReport(JobState.ACTIVE, false);
    rows.has(needing(REPORT + 1, "over", JobState.FINISHED));
    rows.waits("orders", rows.oneShot("plain", now));
    rows.executes(rows.execution(idAt(now), rows.oneShot("runs", now), "w1", now));
    assertThat(script.with("level", 2).answer(database))
        .isEqualTo("not lowered: the required level is 2");
    assertThat(required()).isEqualTo("2 (batches)");

    assertThat(script.answer(database)).isEqualTo("lowered");

    assertThat(required()).isEqualTo("1");
    assertThat(script.answer(database)).isEqualTo("not lowered: the required level is 1");
    database.stores().trackers().require(SECOND);
    assertThat(required()).as("a newer tracker raises it again").isEqualTo("2 (batches)");
    assertThat(script.with("level", 0).answer(database)).isEqualTo("lowered");
    assertThat(required()).isEqualTo("0");
  }

  @Test
  void requiredLevelStaysWhileAnythingNeedsItAndTheScriptSaysWhat() throws Exception {
    TrackerStore trackers = database.stores().trackers();
    trackers.require(SECOND);
    trackers.acquire("alive", "a:1", 2, now, now + HOUR);
    trackers.acquire("older", "b:1", 1, now, now + HOUR);
    trackers.acquire("gone", "c:1", 2, now - HOUR, now - 1);
    rows.has(needing(REPORT, "report", JobState.ACTIVE));
    rows.has(needing(REPORT + 1, "digest", JobState.PAUSED));
    rows.waits("mail", waitingFor("once"));
    rows.executes(
        Execution.claim(idAt(now), "orders", waitingFor("runs"), needing(SECOND), "w1", now));
    SqlScript script = script("lower-feature-level");

    List<String> answers =
        script.run(database).stream()
            .map(row -> row.values().stream().map(String::valueOf).collect(joining(" ")))
            .toList();

    assertThat(answers)
        .containsExactly(
            "execution orders runs 2 batches",
            "job orders digest 2 batches",
            "job orders report 2 batches",
            "tracker null alive 2 null",
            "waiting mail once 2 batches",
            "not lowered: 5 need more, of which up to 100 are listed");
    assertThat(required()).isEqualTo("2 (batches)");
  }

  /** Whatever the job needs: an older tracker would end its parts, and never the run. */
  @Test
  void requiredLevelStaysWhileARunIsSplit() throws Exception {
    database.stores().trackers().require(SECOND);
    Execution run = rows.execution(idAt(now), rows.oneShot("split", now), "w1", now);
    database.stores().batches().insert(List.of(Batch.opened(run, BatchKind.SHARDS, 2)));
    SqlScript script = script("lower-feature-level");

    assertThat(script.run(database).stream().map(row -> String.valueOf(row.get("kind"))))
        .startsWith("batch");
    assertThat(required()).isEqualTo("2 (batches)");

    database.execute("DELETE FROM jt_batch");
    assertThat(script.answer(database)).isEqualTo("lowered");
  }

  /** An older tracker would release its further parts as if every worker might run them. */
  @Test
  void requiredLevelStaysWhileABroadcastIsUnderWay() throws Exception {
    database.stores().trackers().require(FeatureLevel.BROADCAST);
    Execution run = rows.execution(idAt(now), rows.oneShot("reload", now), "w1", now);
    database.stores().batches().insert(List.of(Batch.opened(run, BatchKind.BROADCAST, 2)));
    SqlScript script = script("lower-feature-level").with("level", 3);

    assertThat(script.run(database).stream().map(row -> String.valueOf(row.get("kind"))))
        .startsWith("batch");
    assertThat(required()).isEqualTo(FeatureLevel.BROADCAST.toString());

    database.execute("UPDATE jt_batch SET kind = 'SHARDS'");
    assertThat(script.answer(database)).isEqualTo("lowered");
  }

  /**
   * An older tracker would count the dead part and its replay as two parts that failed or ended.
   */
  @Test
  void requiredLevelStaysWhileAPartIsReplayedOrARunReplaysAnother() throws Exception {
    database.stores().trackers().require(FeatureLevel.REPLAYS);
    Execution run = rows.execution(idAt(now), rows.oneShot("split", now), "w1", now);
    BatchStore batches = database.stores().batches();
    batches.insert(List.of(Batch.opened(run, BatchKind.SHARDS, 2)));
    batches.release(run.id(), 0, 2);
    batches.countEnds(Map.of(run.id(), new PartEnds(0, 0, 1, 0, 0)));
    assertThat(batches.addReplay(run.id(), 2)).isTrue();
    SqlScript script = script("lower-feature-level").with("level", 4);

    assertThat(script.run(database).get(0))
        .containsEntry("kind", "batch")
        .containsEntry("needed_level", "5")
        .containsEntry("feature", "replays of parts");

    database.execute("UPDATE jt_batch SET replaced = 0, spec = '{\"replayOf\":\"7\"}'");
    assertThat(script.run(database).get(0)).containsEntry("feature", "replays of parts");
    assertThat(required()).isEqualTo(FeatureLevel.REPLAYS.toString());

    database.execute("UPDATE jt_batch SET spec = '{}'");
    assertThat(script.answer(database)).isEqualTo("lowered");
  }

  /** No part of the run waits, so only the row of the batch says what the run needs. */
  @Test
  void requiredLevelStaysWhileARunIsSplitWhoseJobNeedsMoreThanParts() throws Exception {
    FeatureLevel third = new FeatureLevel(3, "labels");
    database.stores().trackers().require(third);
    Execution run =
        Execution.claim(idAt(now), "orders", waitingFor("draw"), needing(third), "w1", now);
    database.stores().batches().insert(List.of(Batch.opened(run, BatchKind.SHARDS, 2)));
    SqlScript script = script("lower-feature-level");

    for (int level = 1; level <= 2; level++) {
      assertThat(script.with("level", level).run(database).get(0))
          .containsEntry("kind", "batch")
          .containsEntry("needed_level", "3")
          .containsEntry("feature", "labels");
      assertThat(required()).isEqualTo("3 (labels)");
    }

    database.execute("DELETE FROM jt_batch");
    assertThat(script.answer(database)).isEqualTo("lowered");
    assertThat(required()).isEqualTo("1");
  }

  // One dead trigger again.

  @Test
  void requeueWritesOneWaitingTriggerOfTheNextOrdinalWithTheParametersOfTheJob() throws Exception {
    hasReport(JobState.ACTIVE, false);
    database.execute("UPDATE jt_job SET extra_count = 6");
    rows.died(end(idAt(now), "report", LedgerStatus.DEAD, now));
    SqlScript script = script("requeue").with("execution_id", idAt(now)).with("by", "ann");

    assertThat(script.answer(database)).isEqualTo("requeued");
    assertThat(database.query("SELECT CONCAT(write_seq, ' ', extra_count) FROM jt_job"))
        .containsExactly("1 7");
    assertThat(script.answer(database)).isEqualTo("not requeued: it has been replayed before");

    List<WaitingTrigger> waiting = rows.waiting("orders", "report");
    assertThat(waiting).hasSize(1);
    WaitingTrigger requeued = waiting.get(0);
    assertThat(requeued.key()).isEqualTo(new TriggerKey("report", now, 7));
    assertThat(requeued.id()).isGreaterThan(idAt(now));
    assertThat(requeued.jobVersion()).isEqualTo(3);
    assertThat(requeued.attempt()).isEqualTo(1);
    assertThat(requeued.dueAt()).isGreaterThanOrEqualTo(now);
    assertThat(requeued.submission()).isEqualTo(Submission.replay(idAt(now), "ann"));
    assertThat(database.query("SELECT params FROM jt_waiting_orders"))
        .containsExactly("{\"a\":\"b\"}");
    DeadTrigger dead = database.stores().dead().find(idAt(now)).orElseThrow();
    assertThat(dead.settlement())
        .isEqualTo(new Settlement(requeued.dueAt(), "ann", new Replay(requeued.id(), 7)));
  }

  /** Whoever marks the dead trigger first has replayed it. */
  @Test
  void whatWasRequeuedIsNotReplayedByATrackerAndTheReverse() throws Exception {
    hasReport(JobState.ACTIVE, false);
    rows.died(
        end(idAt(now), "report", LedgerStatus.DEAD, now),
        end(idAt(now) + 1, "report", LedgerStatus.DEAD, now + 1),
        end(idAt(now) + 2, "report", LedgerStatus.DEAD, now + 2));
    SqlScript script = script("requeue");

    assertThat(script.with("execution_id", idAt(now)).answer(database)).isEqualTo("requeued");
    assertThat(rows.settles(idAt(now), new Replay(5, 9))).isFalse();
    assertThat(rows.settlement(idAt(now))).isEqualTo("REPLAYED operations sql 1");

    assertThat(rows.settles(idAt(now) + 1, new Replay(5, 9))).isTrue();
    assertThat(script.with("execution_id", idAt(now) + 1).answer(database))
        .isEqualTo("not requeued: it has been replayed before");
    assertThat(rows.settlement(idAt(now) + 1)).isEqualTo("REPLAYED operator/ann 9");

    assertThat(rows.settles(idAt(now) + 2, null)).isTrue();
    assertThat(script("requeue-all").answer(database)).isEqualTo("0");
    assertThat(script.with("execution_id", idAt(now) + 2).answer(database)).isEqualTo("requeued");
    assertThat(database.count("jt_waiting_orders")).isEqualTo(2);
  }

  /**
   * Two people and a tracker at a time: one of them replays it, and the others are told. All in one
   * millisecond, in which scripts give the new trigger the same id.
   */
  @Test
  void ofAllWhoReplayItAtATimeOneDoes() throws Exception {
    hasReport(JobState.ACTIVE, false);
    try (Racer racer = new Racer()) {
      for (int i = 0; i < 20; i++) {
        long dead = idAt(now + i);
        rows.died(end(dead, "report", LedgerStatus.DEAD, now + i));
        SqlScript one = script("requeue").with("execution_id", dead).at(now + i);
        SqlScript many = script("requeue-all").at(now + i);
        List<Callable<Boolean>> all =
            List.of(
                () -> one.answer(database).equals("requeued"),
                () -> many.answer(database).equals("1"),
                () -> rows.settles(dead, new Replay(5, 9)),
                () -> one.answer(database).equals("requeued"));

        List<Boolean> won = racer.together(all);

        assertThat(won).as("round " + i).containsOnlyOnce(true);
        long written = won.get(2) ? 0 : 1;
        assertThat(database.count("jt_waiting_orders WHERE replay_of = " + dead))
            .as("round " + i)
            .isEqualTo(written);
        assertThat(
                database.count(
                    "jt_dead d JOIN jt_waiting_orders w ON w.id = d.replay_id WHERE d.id = "
                        + dead))
            .as("round " + i)
            .isEqualTo(written);
      }
    }
  }

  @Test
  void requeueRefusesWhatItCouldNotDoSafely() throws Exception {
    rows.has(takingTurns(REPORT + 1, "skips", OverlapPolicy.skip(), now - DAY));
    rows.has(takingTurns(REPORT + 2, "queues", OverlapPolicy.queue(3), now - DAY));
    rows.has(job(REPORT + 3, "paused", JobState.PAUSED, false, now - DAY));
    database.execute("UPDATE jt_job SET running = 1 WHERE task_id IN ('skips', 'queues')");
    rows.ended(end(idAt(now) + 9, "fine", LedgerStatus.SUCCEEDED, now));
    rows.died(
        end(idAt(now) + 1, planned("skips"), REPORT + 1, 3, LedgerStatus.DEAD, now),
        end(idAt(now) + 2, planned("queues"), REPORT + 2, 3, LedgerStatus.DEAD, now),
        end(idAt(now) + 3, planned("paused"), REPORT + 3, 3, LedgerStatus.DEAD, now),
        end(idAt(now) + 4, planned("gone"), REPORT + 4, 3, LedgerStatus.DEAD, now),
        oneShotEnd(idAt(now) + 5, "once", LedgerStatus.DEAD, now),
        end(idAt(now) + 6, new TriggerKey("#5", 0, 2), 5, 0, LedgerStatus.DEAD, now));
    SqlScript script = script("requeue");

    assertThat(script.with("execution_id", 1).answer(database)).contains("no such dead");
    assertThat(script.with("execution_id", idAt(now) + 9).answer(database)).contains("no such");
    for (int i = 1; i < 5; i++) {
      assertThat(script.with("execution_id", idAt(now) + i).answer(database))
          .contains(i < 3 ? "a run of its job is under way" : "its job is not active");
    }
    assertThat(script.with("execution_id", idAt(now) + 5).answer(database)).contains("one-shot");
    assertThat(script.with("execution_id", idAt(now) + 6).answer(database))
        .contains("it was a part of a run");
    assertThat(script("requeue-all").answer(database)).isEqualTo("0");
    assertThat(database.count("jt_waiting_orders")).isZero();
    assertThat(database.count("jt_dead WHERE state = 'OPEN'")).isEqualTo(6);
    assertThat(database.count("jt_job WHERE extra_count > 0")).isZero();
    assertThat(database.query("SELECT running FROM jt_job ORDER BY id"))
        .containsExactly("1", "1", "0");
  }

  @Test
  void requeuedTriggerOfAJobWhoseRunsTakeTurnsHasTheTurn() throws Exception {
    rows.has(takingTurns(REPORT, "report", OverlapPolicy.skip(), now - DAY));
    rows.died(
        end(idAt(now), "report", LedgerStatus.DEAD, now),
        end(idAt(now) + 1, "report", LedgerStatus.DEAD, now + 1));
    SqlScript script = script("requeue");

    assertThat(script.with("execution_id", idAt(now) + 1).answer(database)).isEqualTo("requeued");

    assertThat(rows.waiting("orders", "report"))
        .singleElement()
        .matches(WaitingTrigger::begun)
        .matches(row -> row.key().ordinal() == 1);
    assertThat(database.query("SELECT CONCAT(running, ' ', queued) FROM jt_job"))
        .containsExactly("1 0");
    assertThat(script.with("execution_id", idAt(now)).answer(database))
        .contains("a run of its job is under way");
  }

  @Test
  void requeueAllRequeuesOneOfEachJobWhoseRunsTakeTurns() throws Exception {
    rows.has(takingTurns(REPORT, "report", OverlapPolicy.skip(), now - DAY));
    rows.has(takingTurns(REPORT + 1, "queues", OverlapPolicy.queue(3), now - DAY));
    rows.has(job(REPORT + 2, "beside", JobState.ACTIVE, false, now - DAY));
    for (int i = 0; i < 3; i++) {
      rows.died(
          end(idAt(now) + 10 * i, "report", LedgerStatus.DEAD, now + i),
          end(
              idAt(now) + 10 * i + 1,
              plannedAt("queues", i),
              REPORT + 1,
              3,
              LedgerStatus.DEAD,
              now),
          end(
              idAt(now) + 10 * i + 2,
              plannedAt("beside", i),
              REPORT + 2,
              3,
              LedgerStatus.DEAD,
              now));
    }

    assertThat(script("requeue-all").answer(database)).isEqualTo("5");

    assertThat(
            database.query(
                "SELECT CONCAT(task_id, ' ', COUNT(*), ' ', MIN(CASE WHEN begun THEN 1 ELSE 0 END))"
                    + " FROM jt_waiting_orders GROUP BY task_id ORDER BY task_id"))
        .containsExactly("beside 3 0", "queues 1 1", "report 1 1");
    assertThat(database.query("SELECT running FROM jt_job ORDER BY id"))
        .containsExactly("1", "1", "0");
    assertThat(rows.settlement(idAt(now))).as("the first to die").endsWith(" 1");
    assertThat(script("requeue-all").answer(database)).isEqualTo("0");
  }

  @Test
  void extraRunIsRequeuedWithItsOwnParameters() throws Exception {
    hasReport(JobState.ACTIVE, false);
    database.execute("UPDATE jt_job SET extra_count = 5");
    for (int i = 0; i < 2; i++) {
      TriggerKey extra = TriggerKey.extra("report", now + i, 4 + i);
      rows.died(
          end(idAt(now) + i, extra, REPORT, 3, LedgerStatus.DEAD, now + i),
          new StoredParams(9, "{\"c\":\"" + i + "\"}"));
    }

    assertThat(script("requeue").with("execution_id", idAt(now)).answer(database))
        .isEqualTo("requeued");
    assertThat(script("requeue-all").answer(database)).isEqualTo("1");

    assertThat(
            database.query(
                "SELECT CONCAT(planned_at - "
                    + now
                    + ", ' ', ordinal, ' ', params_bytes, ' ', params, ' ', replay_of - "
                    + idAt(now)
                    + ") FROM jt_waiting_orders ORDER BY ordinal"))
        .containsExactly("0 6 9 {\"c\":\"0\"} 0", "1 7 9 {\"c\":\"1\"} 1");
  }

  /** Ordinals that were given away without being counted: they wait, execute or have ended. */
  @Test
  void ordinalsThatAreTakenArePassedOver() throws Exception {
    hasReport(JobState.ACTIVE, false);
    rows.died(
        end(idAt(now), "report", LedgerStatus.DEAD, now),
        end(idAt(now) + 1, "report", LedgerStatus.DEAD, now + 1),
        end(idAt(now) + 2, "report", LedgerStatus.DEAD, now + 2));
    rows.waits("orders", extra(now, 1));
    rows.executes(rows.execution(idAt(now) + 3, extra(now + 1, 3), "w1", now));
    rows.ended(
        end(
            idAt(now) + 4,
            TriggerKey.extra("report", now + 2, 5),
            REPORT,
            3,
            LedgerStatus.SUCCEEDED,
            now + 2));
    SqlScript script = script("requeue");

    assertThat(script.with("execution_id", idAt(now)).answer(database)).isEqualTo("requeued");
    assertThat(script.with("execution_id", idAt(now) + 1).answer(database)).isEqualTo("requeued");
    assertThat(script.with("execution_id", idAt(now) + 2).answer(database)).isEqualTo("requeued");

    assertThat(rows.settlement(idAt(now))).endsWith(" 2");
    assertThat(rows.settlement(idAt(now) + 1)).endsWith(" 4");
    assertThat(rows.settlement(idAt(now) + 2)).endsWith(" 6");

    database.execute("UPDATE jt_dead SET state = 'OPEN', settled_at = NULL, replay_id = NULL");
    assertThat(script("requeue-all").answer(database)).isEqualTo("3");
    assertThat(database.query("SELECT replay_ordinal FROM jt_dead ORDER BY id"))
        .containsExactly("7", "8", "9");
    assertThat(database.query("SELECT extra_count FROM jt_job")).containsExactly("9");
  }

  // What dead runs kept.

  /** A replay by a tracker leaves the same rows, byte for byte. */
  @Test
  void requeuedTriggerHasWhatTheDeadRunKeptAndTheKeyOfTheFirst() throws Exception {
    rows.has(job(REPORT, "höhe", JobState.ACTIVE, false, now - DAY));
    LedgerEntry byScript = end(idAt(now), "höhe", LedgerStatus.DEAD, now);
    LedgerEntry byTracker = end(idAt(now) + 1, "höhe", LedgerStatus.DEAD, now + 1);
    LedgerEntry other = end(idAt(now) + 2, "höhe", LedgerStatus.DEAD, now + 2);
    rows.died(byScript, byTracker, other);
    for (LedgerEntry dead : List.of(byScript, byTracker, other)) {
      rows.keeps("orders", dead, "charge");
    }
    SqlScript script = script("requeue").with("execution_id", byScript.id());

    assertThat(script.answer(database)).isEqualTo("requeued");
    assertThat(script.answer(database)).startsWith("not requeued");

    WaitingTrigger requeued = rows.waiting("orders", "höhe").get(0);
    WaitingTrigger replay = extra(byTracker, 2);
    rows.inTransaction(stores -> stores.kept().replayed("orders", byTracker, replay, now));
    assertThat(rows.kept(byScript)).isEmpty();
    assertThat(rows.kept(other)).hasSize(1);
    assertThat(rows.kept(requeued)).hasSize(2).isEqualTo(asOf(requeued, replay));
    assertThat(origins(requeued)).containsExactly(Run.keyOf("orders", byScript));

    LedgerEntry again =
        end(requeued.id() + 1, requeued.key(), REPORT, 3, LedgerStatus.DEAD, byScript.plannedFor());
    rows.inTransaction(stores -> stores.waiting().delete("orders", List.of(requeued.id())));
    rows.died(again);
    assertThat(script.with("execution_id", again.id()).answer(database)).isEqualTo("requeued");

    WaitingTrigger second = rows.waiting("orders", "höhe").get(0);
    assertThat(second.key().ordinal()).isEqualTo(2);
    assertThat(rows.kept(again)).isEmpty();
    assertThat(rows.kept(second)).hasSize(2);
    assertThat(origins(second)).containsExactly(Run.keyOf("orders", byScript));
  }

  @Test
  void requeueAllHandsOverWhatEachKeptAndTheKeyToThoseWithoutAny() throws Exception {
    hasReport(JobState.ACTIVE, false);
    rows.has(job(REPORT + 1, "digest", JobState.ACTIVE, false, now - DAY));
    LedgerEntry first = end(idAt(now), "report", LedgerStatus.DEAD, now);
    LedgerEntry second = end(idAt(now) + 1, "report", LedgerStatus.DEAD, now + 1);
    LedgerEntry without =
        end(idAt(now) + 2, planned("digest"), REPORT + 1, 3, LedgerStatus.DEAD, now);
    LedgerEntry discarded = end(idAt(now) + 3, "report", LedgerStatus.DEAD, now + 2);
    rows.died(first, second, without, discarded);
    for (LedgerEntry dead : List.of(first, second, discarded)) {
      rows.keeps("orders", dead, "charge-" + (dead.id() - idAt(now)));
    }
    assertThat(rows.settles(discarded.id(), null)).isTrue();

    assertThat(script("requeue-all").answer(database)).isEqualTo("3");

    List<WaitingTrigger> requeued = rows.waiting("orders", "report");
    assertThat(rows.kept(requeued.get(0))).hasSize(2).element(1).asString().startsWith("charge-0");
    assertThat(rows.kept(requeued.get(1))).hasSize(2).element(1).asString().startsWith("charge-1");
    assertThat(origins(requeued.get(0))).containsExactly(Run.keyOf("orders", first));
    assertThat(origins(requeued.get(1))).containsExactly(Run.keyOf("orders", second));
    assertThat(origins(rows.waiting("orders", "digest").get(0)))
        .containsExactly(Run.keyOf("orders", without));
    assertThat(rows.kept(first)).isEmpty();
    assertThat(rows.kept(discarded)).hasSize(1);

    rows.inTransaction(
        stores ->
            stores.waiting().delete("orders", requeued.stream().map(WaitingTrigger::id).toList()));
    LedgerEntry again =
        end(
            requeued.get(0).id() + 1,
            requeued.get(0).key(),
            REPORT,
            3,
            LedgerStatus.DEAD,
            first.plannedFor());
    rows.died(again);
    assertThat(script("requeue-all").answer(database)).isEqualTo("1");
    assertThat(origins(rows.waiting("orders", "report").get(0)))
        .containsExactly(Run.keyOf("orders", first));
  }

  private List<String> origins(TriggerRecord run) {
    return database.stores().kept().read(Run.of(run)).stream()
        .filter(row -> row.kind() == Kind.ORIGIN)
        .map(Kept::content)
        .toList();
  }

  /** What is kept of a run, as it would be of another that was planned for another instant. */
  private List<String> asOf(TriggerRecord other, TriggerRecord run) {
    return rows.kept(run).stream()
        .map(
            row ->
                row.replace(String.valueOf(run.plannedFor()), String.valueOf(other.plannedFor())))
        .toList();
  }

  private WaitingTrigger extra(LedgerEntry dead, int ordinal) {
    WaitingTrigger planned = rows.planned(dead.key().taskId(), dead.plannedFor());
    return new WaitingTrigger(
        planned.id(),
        new TriggerCore(
            TriggerKey.extra(dead.key().taskId(), dead.key().plannedAt(), ordinal),
            dead.jobId(),
            3,
            dead.plannedFor(),
            1),
        dead.plannedFor(),
        100,
        dead.plannedFor(),
        null,
        StoredParams.NONE,
        false,
        null,
        null);
  }

  private WaitingTrigger extra(long at, int ordinal) {
    return extra(end(0, "report", LedgerStatus.DEAD, at), ordinal);
  }

  private TriggerKey planned(String taskId) {
    return plannedAt(taskId, 0);
  }

  private TriggerKey plannedAt(String taskId, int millisLater) {
    return TriggerKey.planned(taskId, now + millisLater);
  }

  // Many.

  @Test
  void requeueAllRequeuesEachDeadTriggerOnceAndOnlyWhatIsAskedFor() throws Exception {
    hasReport(JobState.ACTIVE, false);
    rows.has(job(REPORT + 1, "digest", JobState.ACTIVE, false, now - DAY));
    for (int i = 0; i < 5; i++) {
      long at = now - HOUR + i;
      rows.died(end(idAt(at), "report", LedgerStatus.DEAD, at));
    }
    rows.died(
        end(idAt(now - 30 * HOUR), "report", LedgerStatus.DEAD, now - 30 * HOUR),
        end(idAt(now) + 2, planned("digest"), REPORT + 1, 3, LedgerStatus.DEAD, now),
        oneShotEnd(idAt(now) + 4, "once", LedgerStatus.DEAD, now));
    SqlScript script = script("requeue-all").with("most", 3);

    assertThat(script.with("node_group", "mail").answer(database)).isEqualTo("0");
    assertThat(script.with("node_group", "nobody").answer(database)).isEqualTo("0");
    assertThat(script.with("task_id", "another").answer(database)).isEqualTo("0");
    assertThat(script.with("task_id", "report").answer(database)).isEqualTo("3");
    assertThat(script.with("by", "ann").answer(database)).isEqualTo("3");
    assertThat(script.answer(database)).isEqualTo("0");

    List<WaitingTrigger> waiting = rows.waiting("orders", "report");
    assertThat(waiting)
        .extracting(WaitingTrigger::plannedFor)
        .containsExactly(
            now - HOUR, now - HOUR + 1, now - HOUR + 2, now - HOUR + 3, now - HOUR + 4);
    assertThat(waiting)
        .extracting(row -> row.key().ordinal())
        .as("each has one of its own")
        .containsExactly(1, 2, 3, 4, 5);
    assertThat(waiting).allMatch(row -> row.attempt() == 1 && row.id() >= idAt(now));
    assertThat(rows.waiting("orders", "digest").get(0).key().ordinal()).isEqualTo(1);
    assertThat(database.count("jt_waiting_orders")).isEqualTo(6);
    assertThat(database.count("jt_waiting_orders WHERE params IS NULL")).isZero();
    assertThat(
            database.count(
                "jt_dead d JOIN jt_waiting_orders w ON w.replay_of = d.id AND w.id = d.replay_id"
                    + " AND w.ordinal = d.replay_ordinal AND w.submitted_by = d.settled_by"))
        .isEqualTo(6);
    assertThat(database.count("jt_dead WHERE state = 'OPEN'")).isEqualTo(2);
    assertThat(database.count("jt_dead WHERE settled_by = 'ann'")).isEqualTo(3);
    assertThat(database.query("SELECT extra_count FROM jt_job ORDER BY id"))
        .containsExactly("5", "1");
  }

  /** It is then a dead trigger of its own, and the first stays marked. */
  @Test
  void requeuedTriggerThatDiesTooIsRequeuedInItsTurn() throws Exception {
    hasReport(JobState.ACTIVE, false);
    rows.died(end(idAt(now), "report", LedgerStatus.DEAD, now));
    assertThat(script("requeue-all").answer(database)).isEqualTo("1");
    WaitingTrigger requeued = rows.waiting("orders", "report").get(0);
    rows.inTransaction(stores -> stores.waiting().delete("orders", List.of(requeued.id())));

    long execution = requeued.id() + 1;
    rows.executes(rows.execution(execution, requeued.withParams(StoredParams.NONE), "w1", now));
    assertThat(script("requeue-all").answer(database)).isEqualTo("0");

    rows.inTransaction(stores -> stores.executing().delete(List.of(execution)));
    rows.died(end(execution, requeued.key(), REPORT, 3, LedgerStatus.DEAD, now));
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
    database.execute("UPDATE jt_waiting_orders SET replay_of = 77 WHERE id = " + retry.id());
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
    assertThat(database.query("SELECT replay_of FROM jt_waiting_orders WHERE id = " + moved.id()))
        .containsExactly("77");
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

  private void hasVersions(long... jobIds) {
    Author client = new Author(Source.CLIENT, "shop/client-1", null);
    rows.inTransaction(
        stores ->
            stores
                .versions()
                .insert(
                    LongStream.of(jobIds)
                        .mapToObj(id -> new JobVersion(id, 2, 1, client, "s", null))
                        .toList()));
  }

  // The end of a node group.

  @Test
  void killLeavesNothingOfTheGroupButTheLedgerAndTheOthersAlone() throws Exception {
    hasReport(JobState.ACTIVE, false);
    rows.inTransaction(stores -> stores.jobs().rememberSubmission(REPORT, 2, "submission-0", 1));
    hasVersions(REPORT);
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
    rows.ended(end(idAt(now), "report", LedgerStatus.SUCCEEDED, now));
    rows.died(end(idAt(now) + 1, "report", LedgerStatus.DEAD, now + 1));
    database.execute("UPDATE jt_waiting_orders SET replay_of = 77 WHERE task_id = 'once'");
    rows.executes(tracedReplay(idAt(now) + 8));
    for (String group : List.of("orders", "mail")) {
      fleetRows(group);
      rows.keeps(group, rows.oneShot("keeps", now), "charge");
    }
    rows.returned(idAt(now), "1");

    assertThat(script("kill-node-group").with("node_group", "orders").answer(database))
        .isEqualTo("removed");

    assertThat(database.stores().nodeGroups().tables()).containsExactly("jt_waiting_mail");
    assertThat(database.query("SELECT name FROM jt_node_group")).containsExactly("mail");
    assertThat(database.count("jt_job")).isZero();
    assertThat(database.count("jt_job_submission")).isZero();
    assertThat(database.count("jt_job_version")).isZero();
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
            "report DEAD 1 -",
            "running CANCELLED 1 submission-1",
            "traced CANCELLED 1 submission-1");
    assertThat(database.query("SELECT id FROM jt_history WHERE task_id = 'running'"))
        .containsExactly(String.valueOf(idAt(now) + 7));
    assertThat(
            database.count(
                "jt_history WHERE status = 'CANCELLED' AND is_final AND handler = 'h'"
                    + " AND cause = 'NODE_GROUP_REMOVED' AND submitted_by = 'client-1'"))
        .isEqualTo(5);
    assertThat(
            database.query(
                "SELECT CONCAT(task_id, ' ', replay_of, ' ', COALESCE(trace_parent, '-'))"
                    + " FROM jt_history WHERE replay_of IS NOT NULL ORDER BY task_id"))
        .containsExactly("once 77 -", "traced 78 " + TRACE);
    assertThat(database.count("jt_dead")).isZero();
    assertThat(database.count("jt_result")).as("as long as the ledger").isEqualTo(1);
    for (String table :
        List.of("jt_worker", "jt_group_load", "jt_minute_count", "jt_hour_count", "jt_kept")) {
      assertThat(database.query("SELECT node_group FROM " + table))
          .as(table)
          .containsExactly("mail");
    }
  }

  @Test
  void killEndsRunsThatWereSplitWithTheirParts() throws Exception {
    Batch split =
        Batch.opened(
            rows.execution(idAt(now) + 7, rows.oneShot("split", now - 1), "w1", now - 1),
            BatchKind.SHARDS,
            7);
    Execution stages = rows.execution(idAt(now) + 8, rows.oneShot("stages", now - 1), "w1", now);
    WaitingTrigger part = split.part(1, idAt(now) + 9, StoredParams.NONE, now);
    WaitingTrigger running = split.part(2, idAt(now) + 10, StoredParams.NONE, now);
    rows.inTransaction(stores -> stores.batches().insert(List.of(split)));
    assertThat(database.stores().batches().release(split.id(), 0, 2)).isTrue();
    rows.executes(
        stages, Execution.claim(idAt(now) + 11, "orders", running, split.specOfParts(), "w1", now));
    database
        .stores()
        .batches()
        .stage("w1", stages.id(), 1, List.of(new PartDraft(null, new StoredParams(2, "{}"))));
    rows.waits("orders", part);

    assertThat(script("kill-node-group").with("node_group", "orders").answer(database))
        .isEqualTo("removed");

    assertThat(database.count("jt_batch")).isZero();
    assertThat(
            database.query(
                "SELECT CONCAT(task_id, ' ', status, ' ', ordinal, ' ', instants, ' ', attempt, ' ',"
                    + " COALESCE(submission_id, '-')) FROM jt_history"
                    + " ORDER BY planned_at, ordinal, task_id"))
        .containsExactly(
            "split CANCELLED 0 1 1 submission-1",
            "stages CANCELLED 0 1 1 submission-1",
            "#" + split.id() + " CANCELLED 1 1 0 -",
            "#" + split.id() + " CANCELLED 2 1 1 -",
            "#" + split.id() + " CANCELLED 3 5 0 -");
    LedgerEntry neverReleased =
        database.stores().ledger().readAfter(Long.MIN_VALUE, 10).stream()
            .filter(row -> row.instants() == 5)
            .findFirst()
            .orElseThrow();
    assertThat(neverReleased.core())
        .isEqualTo(split.part(3, neverReleased.id(), StoredParams.NONE, now).core().withAttempt(0));
    assertThat(neverReleased.origin())
        .isEqualTo(new LedgerEntry.Origin("h", null, "client-1", null, null));
    assertThat(neverReleased.workerId()).isNull();
    assertThat(neverReleased.times().claimedAt()).isNull();
    assertThat(database.query("SELECT id FROM jt_history WHERE task_id = 'split'"))
        .containsExactly(String.valueOf(split.id()));
  }

  @Test
  void endedJobWhoseRunWasSplitIsNotPurged() throws Exception {
    rows.has(job(REPORT, "report", JobState.CANCELLED, false, now - 100 * DAY));
    rows.inTransaction(
        stores ->
            stores
                .batches()
                .insert(
                    List.of(
                        Batch.opened(
                            rows.execution(
                                idAt(now) + 7, rows.planned("report", now - 90 * DAY), "w1", now),
                            BatchKind.SHARDS,
                            2))));

    String unused =
        script("purge-ended-jobs")
            .with("node_group", "orders")
            .with("keep_days", 30)
            .answer(database);

    assertThat(database.count("jt_job")).isEqualTo(1);
  }

  /** The replay of a one-shot that was submitted in a trace. */
  private Execution tracedReplay(long id) {
    TriggerSpec plain = OperationsRows.spec(false);
    TriggerSpec spec =
        new TriggerSpec(
            plain.handler(),
            plain.retry(),
            null,
            null,
            null,
            false,
            false,
            plain.clientGroup(),
            plain.submissionId(),
            plain.submittedBy(),
            new TraceContext(TRACE, null),
            78L);
    return Execution.claim(id, "orders", rows.oneShot("traced", now), spec, "w1", now - 1);
  }

  private void fleetRows(String group) {
    database.execute(
        "INSERT INTO jt_worker (worker_id, node_group, process, tracker, address, held, held_ids,"
            + " connected_at, last_pull_at) VALUES ('w1', '"
            + group
            + "', 0, 1, 'a:1', 0, '', 1, 1)");
    database.execute(
        "INSERT INTO jt_group_load (node_group, tracker, observed_at, backlog, at_least, workers,"
            + " draining, slots, slots_in_use, free_slots, executing) VALUES ('"
            + group
            + "', 1, 1, 0, FALSE, 1, 0, 4, 0, 4, 0)");
    String counted =
        "planned, claimed, started, succeeded, failed, dead, cancelled, skipped, retried, rescued,"
            + " given_back, late_sum, late_max, late_100ms, late_1s, late_10s, late_60s, ran, run_sum"
            + ") VALUES ('%s', 0, %s0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)";
    database.execute(
        "INSERT INTO jt_minute_count (node_group, minute_at, tracker, "
            + counted.formatted(group, "1, "));
    database.execute(
        "INSERT INTO jt_hour_count (node_group, hour_at, " + counted.formatted(group, ""));
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
    rows.declares("once", null);
    assertThat(script("kill-node-group").with("node_group", "orders").answer(database))
        .isEqualTo("removed");
    assertThat(database.count("jt_declared")).isZero();

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
        end(idAt(old), "old-1", LedgerStatus.SUCCEEDED, old),
        end(idAt(old) + 1, "old-2", LedgerStatus.SUCCEEDED, old + 1),
        end(idAt(old) + 2, "ended-late", LedgerStatus.SUCCEEDED, now),
        end(idAt(now), "new", LedgerStatus.SUCCEEDED, now + 1));
    rows.died(
        end(idAt(old) + 3, "died", LedgerStatus.DEAD, old + 3),
        end(idAt(now) + 1, "died-late", LedgerStatus.DEAD, now + 2));
    for (long id : List.of(idAt(old), idAt(old) + 1, idAt(now))) {
      rows.logs(id, 1, now, "a line");
    }

    rows.returned(idAt(old), "1");
    rows.returned(idAt(now), "2");

    SqlScript history = script("purge-history").with("chunk", 1);
    assertThat(history.answer(database)).isIn(YES);
    assertThat(history.answer(database)).isIn(YES);
    assertThat(database.count("jt_dead")).isEqualTo(2);
    assertThat(history.answer(database)).isIn(NO);
    assertThat(history.answer(database)).isIn(NO);
    SqlScript log = script("purge-job-log").with("chunk", 1);
    assertThat(log.answer(database)).isIn(YES);
    assertThat(log.answer(database)).isIn(NO);

    assertThat(database.query("SELECT task_id FROM jt_history ORDER BY id"))
        .containsExactly("ended-late", "new", "died-late");
    assertThat(database.query("SELECT task_id FROM jt_dead")).containsExactly("died-late");
    assertThat(database.query("SELECT result FROM jt_result")).containsExactly("2");
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
    rows.ended(end(idAt(now), planned("ran"), 7, 3, LedgerStatus.SUCCEEDED, now));
    rows.inTransaction(
        stores -> {
          stores.jobs().rememberSubmission(1, 2, "s", 1);
          stores.jobs().rememberSubmission(3, 2, "s", 1);
        });
    hasVersions(1, 3);
    rows.declares("over-1", null);
    rows.declares("over-2", 5L);
    rows.declares("new", 5L);
    SqlScript script = script("purge-ended-jobs").with("chunk", 1);

    assertThat(script.answer(database)).isIn(YES);
    assertThat(script.answer(database)).isIn(YES);
    assertThat(script.answer(database)).isIn(NO);

    assertThat(database.query("SELECT task_id FROM jt_job ORDER BY id"))
        .containsExactly("lives", "new", "executes", "waits", "ran");
    assertThat(database.query("SELECT job_id FROM jt_job_submission")).containsExactly("3");
    assertThat(database.query("SELECT job_id FROM jt_job_version")).containsExactly("3");
    assertThat(database.query("SELECT task_id FROM jt_declared ORDER BY id"))
        .as("a finished one is not begun again")
        .containsExactly("over-1", "new");
  }

  @Test
  void purgeEndedJobsNeverKeepsLessThanTwoDays() throws Exception {
    rows.has(job(1, "over", JobState.FINISHED, false, now - DAY));

    assertThat(script("purge-ended-jobs").with("keep_days", 0).answer(database)).isIn(NO);

    assertThat(database.count("jt_job")).isEqualTo(1);
  }
}
