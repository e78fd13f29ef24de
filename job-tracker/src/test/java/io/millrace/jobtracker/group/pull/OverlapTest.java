package io.millrace.jobtracker.group.pull;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.JobStore.LockedJob;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs of which one trigger may run at a time, over all workers and trackers. */
class OverlapTest extends ServiceTest {
  private static final Duration STEP = Duration.ofSeconds(10);
  private static final Cause UNDER_WAY = Cause.of(CauseCode.OVERLAP);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  private void submit(OverlapPolicy policy) {
    tracker.submit(
        job("poll")
            .every(STEP)
            .times(6)
            .retry(RetryPolicy.retries(1).withDelays(STEP, STEP))
            .overlap(policy)
            .misfire(MisfirePolicy.all())
            .feedback(true)
            .build());
  }

  @Test
  void jobThatSaysNothingRunsOneAtATimeAndItsRowSaysSo() {
    tracker.submit(job("poll").every(STEP).build());
    Assignment first = worker.takeOne();
    time.pass(STEP);

    assertThat(worker.take(10)).isEmpty();

    assertThat(ledger("poll")).extracting(LedgerEntry::cause).containsExactly(UNDER_WAY);
    assertThat(definition("poll").spec().overlap()).isEqualTo(OverlapPolicy.skip());
    worker.succeed(first);
    time.pass(STEP);
    assertThat(worker.take(10)).hasSize(1);
  }

  @Test
  void jobWhoseMissedFireTimesAllRunHasThemWaitForTheirTurn() {
    tracker.submit(job("poll").every(STEP).misfire(MisfirePolicy.all().atMost(3)).build());

    assertThat(definition("poll").spec().overlap()).isEqualTo(OverlapPolicy.queue(3));
  }

  /** What was accepted when it was the default to run beside oneself. */
  @Test
  void jobThatIsStoredWithoutAPolicyRunsBesideItself() {
    tracker.submit(job("poll").every(STEP).build());
    byHand(
        "UPDATE jt_job SET spec = REPLACE(spec, '\"overlap\":{\"kind\":\"SKIP\",\"limit\":0}',"
            + " '\"overlap\":null')");
    assertThat(definition("poll").spec().overlap()).isNull();

    Assignment first = worker.takeOne();
    time.pass(STEP);

    assertThat(worker.takeOne().plannedFor()).isEqualTo(first.plannedFor().plus(STEP));
    assertTurns(0, 0);
  }

  @Test
  void jobThatAllowsItRunsBesideItself() {
    submit(OverlapPolicy.allow());
    time.pass(STEP);

    assertThat(worker.take(10)).hasSize(2);
    assertTurns(0, 0);
  }

  @Test
  void whatWouldOverlapIsSkippedAndNeverFailed() {
    submit(OverlapPolicy.skip());
    Assignment first = worker.takeOne();
    time.pass(STEP.multipliedBy(2));
    assertThat(worker.take(10)).isEmpty();

    assertThat(ends("poll")).containsExactly("SKIPPED", "SKIPPED");
    assertThat(ledger("poll")).extracting(LedgerEntry::cause).containsOnly(UNDER_WAY);
    assertThat(ledger("poll")).extracting(LedgerEntry::attempt).containsOnly(0);
    assertThat(tracker.signals().feedback()).isPositive();
    assertTurns(1, 0);

    worker.succeed(first);
    assertTurns(0, 0);
    time.pass(STEP);
    assertThat(worker.takeOne().plannedFor())
        .isEqualTo(first.plannedFor().plus(STEP.multipliedBy(3)));
  }

  @Test
  void whatWouldOverlapWaitsForItsTurnInOrder() {
    submit(OverlapPolicy.queue(10));
    Assignment first = worker.takeOne();
    time.pass(STEP.multipliedBy(3));
    assertThat(worker.take(10)).isEmpty();
    assertTurns(1, 3);

    Assignment running = first;
    for (int turn = 1; turn <= 3; turn++) {
      worker.succeed(running);
      List<Assignment> next = worker.take(10);
      assertThat(next).hasSize(1);
      running = next.get(0);
      assertThat(running.plannedFor()).isEqualTo(first.plannedFor().plus(STEP.multipliedBy(turn)));
      assertTurns(1, 3 - turn);
    }
    worker.succeed(running);
    assertTurns(0, 0);
    assertThat(ends("poll")).hasSize(4).containsOnly("SUCCEEDED");
  }

  @Test
  void whatFindsTheQueueFullIsSkipped() {
    submit(OverlapPolicy.queue(1));
    worker.takeOne();
    time.pass(STEP.multipliedBy(2));
    worker.take(10);

    assertTurns(1, 1);
    assertThat(ledger("poll"))
        .extracting(LedgerEntry::cause)
        .containsExactly(Cause.of(CauseCode.OVERLAP_QUEUE_FULL, 1));
  }

  @Test
  void heldTriggerIsNeverDueByItself() {
    submit(OverlapPolicy.queue(10));
    Assignment first = worker.takeOne();
    time.pass(STEP);
    worker.take(10);
    assertThat(waiting("poll")).filteredOn(WaitingTrigger::isHeld).hasSize(1);

    time.pass(Duration.ofSeconds(5));
    tracker.load();
    assertThat(stores.waiting().findHeld(HandDrivenTracker.GROUP, "poll", 10)).hasSize(1);
    worker.succeed(first);
    assertThat(waiting("poll"))
        .filteredOn(row -> row.begun() && row.dueAt() == time.millis())
        .hasSize(1);
  }

  @Test
  void triggerRunsThroughThePauseBetweenItsAttempts() {
    submit(OverlapPolicy.skip());
    Assignment first = worker.takeOne();
    worker.report(first, Outcome.EXCEPTION);
    assertTurns(1, 0);
    time.pass(STEP);
    List<Assignment> second = worker.take(10);

    assertThat(second).extracting(Assignment::plannedFor).containsExactly(first.plannedFor());
    assertThat(second.get(0).attempt()).isEqualTo(2);
    assertThat(ends("poll")).containsExactly("RETRIED", "SKIPPED");
    worker.report(second.get(0), Outcome.EXCEPTION);
    assertThat(ends("poll")).containsExactly("RETRIED", "SKIPPED", "DEAD");
    assertTurns(0, 0);
  }

  @Test
  void oneClaimOfManyTriggersLetsOneRun() {
    submit(OverlapPolicy.queue(2));
    time.pass(STEP.multipliedBy(4));

    assertThat(worker.take(10)).hasSize(1);
    assertTurns(1, 2);
    assertThat(ends("poll")).containsExactly("SKIPPED", "SKIPPED");
  }

  @Test
  void trackerThatKnowsNothingOfTheRunKeepsTheTurn() {
    submit(OverlapPolicy.skip());
    Assignment first = worker.takeOne();
    HandDrivenTracker other = anotherTracker();
    HandDrivenWorker elsewhere = other.worker("worker-2");
    time.pass(STEP);
    assertThat(elsewhere.take(10)).isEmpty();

    assertThat(ends("poll")).containsExactly("SKIPPED");
    worker.succeed(first);
    time.pass(STEP);
    assertThat(elsewhere.take(10)).hasSize(1);
  }

  @Test
  void lostWorkersTurnPassesOnAcrossATakeover() {
    tracker.submit(
        job("poll").every(STEP).times(2).retry(0).overlap(OverlapPolicy.queue(5)).build());
    worker.takeOne();
    time.pass(STEP);
    worker.take(10);
    assertTurns(1, 1);

    HandDrivenTracker other = anotherTracker();
    other.adopt();
    other.recoverFor(HandDrivenTracker.WORKER_LEASE.plusSeconds(2));

    assertThat(ends("poll")).containsExactly("DEAD");
    assertThat(other.worker("worker-2").take(10)).hasSize(1);
    assertTurns(1, 0);
  }

  @Test
  void turnIsKeptByWhatGoesBackWithItsAttemptUnchanged() {
    submit(OverlapPolicy.queue(10));
    Assignment first = worker.takeOne();
    worker.later(first, STEP);
    time.pass(STEP);
    assertThat(worker.take(10))
        .extracting(Assignment::plannedFor)
        .containsExactly(first.plannedFor());
    assertTurns(1, 1);
  }

  @Test
  void cancelEndsTheQueueToo() {
    submit(OverlapPolicy.queue(10));
    Assignment first = worker.takeOne();
    time.pass(STEP);
    worker.take(10);
    tracker.cancel("poll");
    worker.succeed(first);

    assertThat(waiting("poll")).isEmpty();
    assertThat(worker.take(10)).isEmpty();
    assertThat(ends("poll")).containsExactlyInAnyOrder("CANCELLED", "SUCCEEDED");
  }

  private void assertTurns(int running, int queued) {
    long id = definition("poll").id();
    LockedJob job =
        stores
            .transactions()
            .inTransaction("look at the turns", () -> stores.jobs().lock(List.of(id)).get(id));
    assertThat(job.running()).as("running").isEqualTo(running);
    assertThat(job.queued()).as("queued").isEqualTo(queued);
  }
}
