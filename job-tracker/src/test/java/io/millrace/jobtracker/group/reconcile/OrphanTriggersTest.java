package io.millrace.jobtracker.group.reconcile;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.Submission;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OrphanTriggersTest extends ReconcileTest {

  @Test
  void triggersOfAJobThatIsGoneEndCancelledOnce() {
    tracker.submit(job("poll").every(MINUTE).build());
    tracker.submit(job("stays").every(MINUTE).build());
    long jobId = definition("poll").id();
    time.pass(Duration.ofSeconds(90));
    byHand("DELETE FROM jt_job WHERE task_id = 'poll'");

    Reconciled done = tracker.reconcile();

    assertThat(done.repaired()).isEqualTo(Map.of(Inconsistency.TRIGGER_WITHOUT_JOB, 11));
    assertThat(done.first())
        .containsExactly(
            ("orders/poll (job %d): 11 triggers waited although its job is gone; they"
                    + " were deleted, and 11 of them recorded as ended")
                .formatted(jobId));
    assertThat(logged()).containsExactly("WARN reconcile: " + done.first().get(0));
    assertThat(waiting("poll")).isEmpty();
    assertThat(waiting("stays")).hasSize(11);
    assertThat(ends("poll")).hasSize(11).containsOnly("CANCELLED");
    assertThat(ledger("poll"))
        .extracting(LedgerEntry::cause)
        .containsOnly(Cause.of(CauseCode.JOB_GONE));
    assertThat(ledger("poll")).extracting(LedgerEntry::jobId).containsOnly(jobId);
    assertNothingToRepair();
    assertThat(ends("poll")).hasSize(11);
  }

  /** As an edit does: what is past gets its disposition, what is planned for later vanishes. */
  @Test
  void triggersOfAnotherVersionGiveWayToThoseOfTheirJob() {
    tracker.submit(job("poll").every(MINUTE).feedback(true).build());
    time.pass(Duration.ofSeconds(90));
    List<Long> planned = plannedInstants("poll");
    byHand("UPDATE jt_job SET version = 2");
    int toldBefore = tracker.signals().feedback();

    assertRepairs(Map.of(Inconsistency.TRIGGER_WITHOUT_JOB, 11, Inconsistency.TRIGGER_MISSING, 9));

    assertThat(ends("poll")).containsExactly("CANCELLED", "CANCELLED");
    assertThat(ledger("poll"))
        .extracting(LedgerEntry::cause)
        .containsOnly(Cause.of(CauseCode.JOB_EDITED));
    assertThat(ledger("poll")).extracting(row -> row.origin().submissionId()).doesNotContain("");
    assertThat(tracker.signals().feedback()).isGreaterThan(toldBefore);
    assertThat(plannedInstants("poll")).isEqualTo(planned.subList(2, 11));
    assertThat(waiting("poll")).extracting(WaitingTrigger::jobVersion).containsOnly(2);
    work(Duration.ofMinutes(5));
    assertOneDispositionEach("poll");
  }

  @Test
  void triggersOfAPausedJobAreSkippedAndItsExtraRunsStay() {
    tracker.submit(job("poll").every(MINUTE).build());
    WaitingTrigger extra = extra("poll", false);
    stores.waiting().insert(GROUP, List.of(extra));
    byHand("UPDATE jt_job SET state = 'PAUSED', generate_at = NULL");

    assertRepairs(Inconsistency.TRIGGER_WITHOUT_JOB, 11);

    assertThat(waiting("poll")).extracting(WaitingTrigger::id).containsExactly(extra.id());
    assertThat(ends("poll")).hasSize(11).containsOnly("SKIPPED");
    assertThat(ledger("poll"))
        .extracting(LedgerEntry::cause)
        .containsOnly(Cause.of(CauseCode.JOB_PAUSED));
  }

  @Test
  void triggersOfAnEndedJobAreCancelledWithItsExtraRuns() {
    tracker.submit(job("poll").every(MINUTE).build());
    stores.waiting().insert(GROUP, List.of(extra("poll", false)));
    byHand("UPDATE jt_job SET state = 'CANCELLED', generate_at = NULL");

    assertRepairs(Inconsistency.TRIGGER_WITHOUT_JOB, 12);

    assertThat(ends("poll")).hasSize(12).containsOnly("CANCELLED");
    assertThat(ledger("poll"))
        .extracting(LedgerEntry::cause)
        .containsOnly(Cause.of(CauseCode.JOB_ENDED));
    assertThat(ledger("poll"))
        .filteredOn(row -> row.key().isExtra())
        .extracting(row -> row.origin().submissionId())
        .containsExactly("of-run");
  }

  /** Somebody asked for them before; only a turn is no longer given. */
  @Test
  void extraRunsOutliveAJobThatFinishesUnlessTheyNeedATurn() {
    tracker.submit(job("free").every(MINUTE).times(1).overlap(OverlapPolicy.allow()).build());
    tracker.submit(job("turns").every(MINUTE).times(1).overlap(OverlapPolicy.queue(5)).build());
    worker.take(5).forEach(worker::succeed);
    time.pass(MINUTE);
    tracker.generate();
    stores.waiting().insert(GROUP, List.of(extra("free", false), extra("turns", false)));
    WaitingTrigger begun = extra("turns", true);
    stores.waiting().insert(GROUP, List.of(begun));

    assertRepairs(Inconsistency.TRIGGER_WITHOUT_JOB, 1);

    assertThat(waiting("free")).hasSize(1);
    assertThat(waiting("turns")).extracting(WaitingTrigger::id).containsExactly(begun.id());
  }

  /** A backup of the waiting table has come back. */
  @Test
  void triggerThatHasItsDispositionGetsNoSecondOne() {
    tracker.submit(job("poll").every(MINUTE).times(2).build());
    List<WaitingTrigger> backup = waiting("poll");
    worker.succeed(worker.takeOne());
    byHand("UPDATE jt_job SET version = 2");
    stores.waiting().insert(GROUP, backup.subList(0, 1));

    tracker.reconcile();

    assertThat(ends("poll")).containsExactly("SUCCEEDED");
    assertThat(waiting("poll")).extracting(WaitingTrigger::jobVersion).containsExactly(2);
  }

  /** The key is that of the trigger, but the row came back without its job. */
  @Test
  void retryOfAnotherVersionEndsAfterItsAttempts() {
    tracker.submit(job("poll").every(MINUTE).retry(3).build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    byHand("UPDATE jt_job SET version = 2");

    tracker.reconcile();

    assertThat(ends("poll")).containsExactly("RETRIED", "CANCELLED");
    assertThat(ledger("poll").get(1).attempt()).isEqualTo(1);
    assertThat(ledger("poll").get(1).status()).isEqualTo(LedgerStatus.CANCELLED);
  }

  @Test
  void oneShotsNeedNoJob() {
    tracker.submit(job("now").build(), job("later").at(inMillis(600_000)).build());

    assertNothingToRepair();
    assertThat(waiting("later")).hasSize(1);
  }

  private WaitingTrigger extra(String taskId, boolean begun) {
    JobDefinition job = definition(taskId);
    int ordinal = stores.jobs().nextExtra(job.id());
    return new WaitingTrigger(
        ordinal + job.id() % 1_000,
        new TriggerCore(
            TriggerKey.extra(taskId, time.millis(), ordinal),
            job.id(),
            job.version(),
            time.millis(),
            1),
        time.millis(),
        100,
        time.millis(),
        null,
        new StoredParams(2, "{}"),
        begun,
        new Submission("of-run", "client-1"),
        null);
  }
}
