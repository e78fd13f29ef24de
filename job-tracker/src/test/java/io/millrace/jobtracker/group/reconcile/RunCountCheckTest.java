package io.millrace.jobtracker.group.reconcile;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.Interruptions;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.batch.RunStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunCountCheckTest extends ReconcileTest {
  private static final Duration STEP = Duration.ofSeconds(10);

  private void submit(OverlapPolicy policy) {
    submit(policy, 6);
  }

  private void submit(OverlapPolicy policy, int times) {
    tracker.submit(
        job("poll")
            .every(STEP)
            .times(times)
            .overlap(policy)
            .misfire(MisfirePolicy.all())
            .retry(RetryPolicy.retries(1).withDelays(STEP, STEP))
            .build());
  }

  /** One runs, two wait for their turn. */
  private Assignment holdTwo() {
    submit(OverlapPolicy.queue(10));
    Assignment running = worker.takeOne();
    time.pass(STEP.multipliedBy(2));
    worker.take(10);
    assertTurns(1, 2);
    return running;
  }

  private void assertTurns(int running, int queued) {
    assertThat(row("poll").running()).as("running").isEqualTo(running);
    assertThat(row("poll").queued()).as("queued").isEqualTo(queued);
  }

  @Test
  void turnsThatAreCountedRightAreLeftAlone() {
    Assignment running = holdTwo();
    assertNothingToRepair();
    worker.report(running, Outcome.EXCEPTION);
    assertNothingToRepair();
    worker.succeed(running);
    time.pass(STEP);
    worker.succeed(worker.takeOne());
    assertNothingToRepair();
    assertThat(ledger("poll")).isNotEmpty();
  }

  /** Such a job would never run again. */
  @Test
  void jobThatCountsARunThatIsNoneRunsAgain() {
    submit(OverlapPolicy.skip());
    byHand("UPDATE jt_job SET running = 1");

    assertRepairs(Inconsistency.TURNS_MISCOUNTED, 1);

    assertTurns(0, 0);
    assertThat(worker.takeOne()).isNotNull();
  }

  /** Such a job would run beside itself. */
  @Test
  void runThatItsJobDoesNotCountIsCounted() {
    submit(OverlapPolicy.skip());
    Assignment running = worker.takeOne();
    byHand("UPDATE jt_job SET running = 0");
    byHand("UPDATE jt_executing SET counted = FALSE");

    Reconciled done = tracker.reconcile();

    assertThat(done.repaired()).isEqualTo(Map.of(Inconsistency.TURNS_MISCOUNTED, 1));
    assertThat(done.first().get(0))
        .startsWith("orders/poll (job " + definition("poll").id() + "): ")
        .contains("its row counted 0 running and 0 held triggers")
        .endsWith("there are 1 and 0");
    logged();
    assertNothingToRepair();
    assertTurns(1, 0);
    assertThat(executing("poll")).allMatch(Execution::counted);
    time.pass(STEP);
    assertThat(worker.take(5)).isEmpty();
    worker.succeed(running);
    assertTurns(0, 0);
  }

  @Test
  void countOfARetryThatWaitsIsCorrected() {
    submit(OverlapPolicy.skip());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    byHand("UPDATE jt_job SET running = 7, queued = 3");

    assertRepairs(Inconsistency.TURNS_MISCOUNTED, 1);

    assertTurns(1, 0);
  }

  @Test
  void turnThatNobodyHandsOnIsHandedOn() {
    holdTwo();
    List<Long> planned =
        waiting("poll").stream()
            .filter(WaitingTrigger::isHeld)
            .map(WaitingTrigger::plannedFor)
            .toList();
    byHand("DELETE FROM jt_executing");
    tracker.signals().triggersDue().clear();

    assertRepairs(Map.of(Inconsistency.TURNS_MISCOUNTED, 1, Inconsistency.TURN_NOT_HANDED_ON, 1));

    assertTurns(1, 1);
    assertThat(tracker.signals().triggersDue()).contains(time.millis());
    Assignment first = worker.takeOne();
    assertThat(first.plannedFor().toEpochMilli()).isEqualTo(planned.get(0));
    worker.succeed(first);
    assertThat(worker.takeOne().plannedFor().toEpochMilli()).isEqualTo(planned.get(1));
  }

  @Test
  void turnIsHandedOnAlsoWhereTheCountsAreRight() {
    holdTwo();
    byHand("DELETE FROM jt_executing");
    byHand("UPDATE jt_job SET running = 0");

    assertRepairs(Inconsistency.TURN_NOT_HANDED_ON, 1);

    assertTurns(1, 1);
  }

  /** Otherwise a held trigger would be released and run at the same time. */
  @ParameterizedTest
  @CsvSource({"setCounted, true", "findByTask, false", "setCounted, false", "findByTask, true"})
  void runThatIsClaimedDuringTheCorrectionIsCountedOnce(String method, boolean isRetry) {
    submit(OverlapPolicy.queue(1), 2);
    Assignment first = worker.takeOne();
    time.pass(STEP);
    worker.take(10);
    worker.report(first, isRetry ? Outcome.EXCEPTION : Outcome.SUCCESS);
    time.pass(STEP.multipliedBy(2));
    byHand("UPDATE jt_job SET running = 2");
    Class<?> store = method.equals("setCounted") ? RunStore.class : WaitingStore.class;
    List<Assignment> claimed = new ArrayList<>();
    Stores claimedMeanwhile =
        Interruptions.after(stores, store, method, () -> claimed.add(worker.takeOne()));

    Reconciled done =
        HandDrivenTracker.reconciler(claimedMeanwhile, tracker.ids(), tracker.signals())
            .runOnce(time.millis());

    assertThat(claimed).hasSize(1);
    assertThat(done.repaired()).isEqualTo(Map.of(Inconsistency.TURNS_MISCOUNTED, 1));
    assertThat(row("poll").running()).isEqualTo(1);
    assertThat(worker.take(5)).isEmpty();
  }

  /** Otherwise the job would not run until the next check. */
  @Test
  void runThatEndsDuringTheCorrectionIsNotCounted() {
    submit(OverlapPolicy.allow());
    Assignment running = worker.takeOne();
    byHand("UPDATE jt_job SET spec = REPLACE(spec, 'ALLOW', 'SKIP')");
    Stores endedMeanwhile =
        Interruptions.afterCall(
            2, stores, RunStore.class, "findByTasks", () -> worker.succeed(running));

    Reconciled done =
        HandDrivenTracker.reconciler(endedMeanwhile, tracker.ids(), tracker.signals())
            .runOnce(time.millis());

    assertThat(done.repaired()).isEqualTo(Map.of(Inconsistency.TURNS_MISCOUNTED, 1));
    assertThat(executing("poll")).isEmpty();
    assertTurns(0, 0);
  }

  @Test
  void turnsOfAPausedJobAreLookedAtToo() {
    submit(OverlapPolicy.skip());
    worker.takeOne();
    byHand("DELETE FROM jt_waiting_orders");
    tracker.pause("poll");
    byHand("UPDATE jt_job SET running = 0");

    assertRepairs(Inconsistency.TURNS_MISCOUNTED, 1);
  }

  /** Somebody has changed the policy in the row. */
  @Test
  void heldTriggersOfAJobWithoutTurnsAreCalledUpTogether() {
    holdTwo();
    byHand("UPDATE jt_job SET spec = REPLACE(spec, 'QUEUE', 'ALLOW')");

    assertRepairs(Inconsistency.TURN_NOT_HANDED_ON, 2);

    assertTurns(0, 0);
    assertThat(waiting("poll")).noneMatch(WaitingTrigger::isHeld);
  }
}
