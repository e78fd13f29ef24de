package io.millrace.jobtracker.group.reconcile;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MissingTriggersTest extends ReconcileTest {

  // Jobs whose triggers are written ahead.

  @Test
  void triggersThatAHandDeletedAreWrittenAgain() {
    tracker.submit(job("poll").every(MINUTE).build());
    List<Long> before = plannedInstants("poll");
    tracker.signals().triggersDue().clear();
    byHand(
        "DELETE FROM jt_waiting_orders WHERE planned_at IN (%d, %d, %d)"
            .formatted(before.get(2), before.get(5), before.get(10)));

    Reconciled done = tracker.reconcile();

    assertThat(done.repaired()).isEqualTo(Map.of(Inconsistency.TRIGGER_MISSING, 3));
    assertThat(done.jobs()).isEqualTo(1);
    assertThat(done.triggers()).isEqualTo(before.size() - 3);
    assertThat(done.first())
        .containsExactly(
            ("orders/poll (job %d): 3 of its triggers were missing, planned from %s to %s;"
                    + " they were written again")
                .formatted(definition("poll").id(), inMillis(120_000), inMillis(600_000)));
    assertThat(logged()).containsExactly("WARN reconcile: " + done.first().get(0));
    assertThat(tracker.signals().triggersDue()).containsExactly(before.get(2));
    assertThat(plannedInstants("poll")).isEqualTo(before);
    assertNothingToRepair();
  }

  @Test
  void jobAllOfWhoseTriggersAreGoneGoesOnAsIfNothingHadHappened() {
    tracker.submit(job("poll").every(MINUTE).build());
    tracker.submit(job("cron").cron("30 * * * * ?").build());
    worker.succeed(worker.takeOne());
    byHand("DELETE FROM jt_waiting_orders");

    assertRepairs(Inconsistency.TRIGGER_MISSING, 20);

    work(Duration.ofMinutes(30));
    assertRanEveryMinuteFor("poll", 30);
    assertRanEveryMinuteFor("cron", 29);
    assertNothingToRepair();
  }

  /** It may be on its way to a worker that very moment. */
  @Test
  void whatIsAboutToFallDueIsLeftAlone() {
    tracker.submit(job("poll").every(MINUTE).build());
    worker.succeed(worker.takeOne());
    time.pass(Duration.ofSeconds(56));
    byHand("DELETE FROM jt_waiting_orders WHERE planned_at = " + inMillis(4_000).toEpochMilli());
    assertNothingToRepair();
    assertThat(waiting("poll")).hasSize(9);
  }

  @Test
  void whatIsYetToBeGeneratedIsNotMissing() {
    tracker.submit(job("poll").every(MINUTE).build());
    tracker.submit(job("hourly").every(Duration.ofHours(1)).build());
    tracker.submit(job("yearly").cron("0 0 0 1 1 ?").build());
    for (int minute = 0; minute < 25; minute++) {
      assertNothingToRepair();
      time.pass(MINUTE);
    }
  }

  /** The clock was ahead; what ran by it must not run again. */
  @Test
  void whatHasBegunOrEndedBeforeTheClockWasSetBackIsNotWrittenAgain() {
    tracker.submit(
        job("poll")
            .every(MINUTE)
            .misfire(MisfirePolicy.all())
            .overlap(OverlapPolicy.allow())
            .build());
    worker.succeed(worker.takeOne());
    time.pass(MINUTE.multipliedBy(2));
    Assignment ended = worker.takeOne();
    worker.succeed(ended);
    Assignment executing = worker.takeOne();
    time.pass(MINUTE);
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    time.setClock(HandTime.START);

    assertNothingToRepair();

    worker.succeed(executing);
    assertNothingToRepair();
    assertThat(waiting("poll").stream().map(WaitingTrigger::attempt)).containsOnlyOnce(2);
  }

  @Test
  void lastTriggersOfACountedJobAreWrittenAgainAndItFinishes() {
    tracker.submit(job("five").every(MINUTE).times(5).build());
    assertThat(definition("five").exhausted()).isTrue();
    byHand("DELETE FROM jt_waiting_orders WHERE planned_at > " + inMillis(100_000).toEpochMilli());

    assertRepairs(Inconsistency.TRIGGER_MISSING, 3);

    work(Duration.ofMinutes(7));
    assertThat(ends("five")).hasSize(5).containsOnly("SUCCEEDED");
    assertThat(definition("five").state()).isEqualTo(JobState.FINISHED);
  }

  @Test
  void jobThatWasNeverToBeGeneratedAgainIsGenerated() {
    tracker.submit(job("poll").every(MINUTE).build());
    byHand("UPDATE jt_job SET generate_at = NULL");

    assertRepairs(Inconsistency.JOB_NOT_GENERATED, 1);

    work(Duration.ofMinutes(30));
    assertRanEveryMinuteFor("poll", 30);
  }

  @Test
  void spentJobThatWasNeverToBeLookedAtAgainFinishes() {
    tracker.submit(job("once").every(MINUTE).times(1).build());
    tracker.submit(job("chain").every(MINUTE).times(1).relyOnPrevCycle(true).build());
    worker.take(5).forEach(worker::succeed);
    byHand("UPDATE jt_job SET generate_at = NULL");
    assertThat(definition("chain").state()).isEqualTo(JobState.FINISHED);

    assertRepairs(Inconsistency.JOB_NOT_GENERATED, 1);

    tracker.generate();
    assertThat(definition("once").state()).isEqualTo(JobState.FINISHED);
    assertNothingToRepair();
  }

  @Test
  void jobThatIsToBeGeneratedAfterItsNextFireTimeIsGeneratedAtOnce() {
    tracker.submit(job("hourly").every(Duration.ofHours(1)).build());
    byHand("UPDATE jt_job SET generate_at = " + inMillis(7_200_000).toEpochMilli());

    assertRepairs(Inconsistency.JOB_NOT_GENERATED, 1);

    assertThat(definition("hourly").generateAt()).isEqualTo(time.millis());
    tracker.generate();
    assertNothingToRepair();
  }

  /** Hours without a tracker are no damage, nor is the generator's own put-off. */
  @Test
  void generationThatIsOverdueOrPutOffIsLeftToTheGenerator() {
    tracker.submit(job("poll").every(MINUTE).build());
    time.pass(Duration.ofHours(5));
    assertNothingToRepair();
    byHand("UPDATE jt_job SET generate_at = " + inMillis(60_000).toEpochMilli());
    assertNothingToRepair();
  }

  @Test
  void jobThatCannotBeReadKeepsNoOtherFromBeingRepaired() {
    for (String task : List.of("a-poll", "b-zone", "c-json", "d-poll")) {
      tracker.submit(job(task).cron("0 * * * * ?").build());
    }
    byHand(
        "UPDATE jt_job SET schedule = REPLACE(schedule, '0 * *', 'never') WHERE task_id ="
            + " 'b-zone'");
    byHand("UPDATE jt_job SET schedule = 'lost' WHERE task_id = 'c-json'");
    byHand("DELETE FROM jt_waiting_orders");

    Reconciled done = tracker.reconcile();

    assertThat(done.count(Inconsistency.TRIGGER_MISSING)).isEqualTo(20);
    assertThat(done.failed()).isEqualTo(2);
    assertThat(done.isNothing()).isFalse();
    assertThat(waiting("a-poll")).hasSize(10);
    assertThat(waiting("d-poll")).hasSize(10);
    assertThat(logged())
        .filteredOn(line -> line.startsWith("ERROR"))
        .hasSize(2)
        .anyMatch(line -> line.contains("orders/b-zone (job " + jobId("b-zone") + ")"))
        .anyMatch(line -> line.contains("orders/c-json (job " + jobId("c-json") + ")"));
  }

  private long jobId(String taskId) {
    return stores.jobs().list("orders", "", 100).stream()
        .filter(job -> job.taskId().equals(taskId))
        .findFirst()
        .orElseThrow()
        .id();
  }

  @Test
  void jobsThatAreNotActiveNeedNoTrigger() {
    tracker.submit(job("cancelled").every(MINUTE).build());
    tracker.cancel("cancelled");
    tracker.submit(job("paused").every(MINUTE).build());
    tracker.pause("paused");
    byHand("DELETE FROM jt_waiting_orders");

    assertNothingToRepair();
  }

  // Jobs whose triggers write one another.

  @Test
  void chainThatLostTheTriggerAheadGetsTheSameOneAgain() {
    tracker.submit(job("daily").cron("0 0 9 * * ?").relyOnPrevCycle(true).build());
    tracker.submit(job("later").fixedDelay(MINUTE).at(inMillis(3_600_000)).build());
    long daily = waiting("daily").get(0).plannedFor();
    long later = waiting("later").get(0).plannedFor();
    byHand("DELETE FROM jt_waiting_orders");

    assertRepairs(Inconsistency.TRIGGER_MISSING, 2);

    assertThat(plannedInstants("daily")).containsExactly(daily);
    assertThat(plannedInstants("later")).containsExactly(later);
    assertThat(definition("daily").firedCount()).isOne();
  }

  @Test
  void chainThatTearsGoesOn() {
    tracker.submit(job("delay").fixedDelay(MINUTE).build());
    tracker.submit(job("rely").cron("0 * * * * ?").relyOnPrevCycle(true).build());
    assertThat(worker.take(5)).hasSize(2);
    byHand("DELETE FROM jt_executing");
    byHand("DELETE FROM jt_waiting_orders");

    Reconciled done = tracker.reconcile();

    assertThat(done.count(Inconsistency.TRIGGER_MISSING)).isEqualTo(2);
    assertThat(done.first().get(0))
        .contains("orders/delay (job " + definition("delay").id() + ")")
        .endsWith("one was written for " + inMillis(60_000));
    assertThat(plannedInstants("delay")).containsExactly(inMillis(60_000).toEpochMilli());
    assertThat(plannedInstants("rely")).containsExactly(inMillis(60_000).toEpochMilli());
    logged();
    assertNothingToRepair();
    work(Duration.ofMinutes(10));
    assertRanEveryMinuteFor("rely", 9);
    assertThat(ledger("rely").get(0).plannedFor()).isEqualTo(inMinute(1));
    assertNothingToRepair();
  }

  private static long inMinute(int minute) {
    return HandTime.START.plusSeconds(60L * minute).toEpochMilli();
  }

  @Test
  void tornChainWithoutAFireTimeLeftFinishes() {
    tracker.submit(job("two").fixedDelay(MINUTE).times(2).build());
    work(Duration.ofSeconds(30));
    byHand("DELETE FROM jt_waiting_orders");
    byHand("UPDATE jt_job SET generated_until = generated_until - 3600000");

    assertRepairs(Inconsistency.TRIGGER_MISSING, 1);

    time.pass(MINUTE);
    tracker.generate();
    assertThat(definition("two").state()).isEqualTo(JobState.FINISHED);
  }

  @Test
  void chainIsWholeWhereverItsOneTriggerIs() {
    tracker.submit(job("rely").every(MINUTE).relyOnPrevCycle(true).retry(2).build());
    assertNothingToRepair();
    Assignment running = worker.takeOne();
    assertNothingToRepair();
    worker.report(running, Outcome.EXCEPTION);
    assertNothingToRepair();
    time.pass(MINUTE);
    running = worker.takeOne();
    tracker.submit(job("rely").fixedDelay(MINUTE).replaceExisting(true).build());
    assertThat(waiting("rely")).isEmpty();
    assertNothingToRepair();
    worker.succeed(running);
    assertNothingToRepair();
    assertThat(waiting("rely")).hasSize(1);
  }

  /** The run that is under way is of a version that wrote its triggers ahead. */
  @Test
  void chainIsNotCarriedOnByARunFromBeforeItWasOne() {
    tracker.submit(job("poll").every(MINUTE).build());
    worker.takeOne();
    tracker.submit(
        job("poll")
            .fixedDelay(MINUTE)
            .overlap(OverlapPolicy.allow())
            .replaceExisting(true)
            .build());
    assertThat(waiting("poll")).hasSize(1);
    assertNothingToRepair();
    byHand("DELETE FROM jt_waiting_orders");

    assertRepairs(Inconsistency.TRIGGER_MISSING, 1);
  }
}
