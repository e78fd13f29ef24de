package io.millrace.jobtracker.group.reconcile;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.OverlapPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.FaultyTransactions.Fault;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.Interruptions;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.batch.RunStore;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The whole of it: all damages together, page by page, under faults, and beside others. */
class GroupReconcilerTest extends ReconcileTest {
  private static final Map<Inconsistency, Integer> ALL_OF_IT =
      Map.of(
          Inconsistency.TRIGGER_WITHOUT_JOB, 20,
          Inconsistency.JOB_NOT_GENERATED, 1,
          Inconsistency.TRIGGER_MISSING, 14,
          Inconsistency.TURNS_MISCOUNTED, 2,
          Inconsistency.TURN_NOT_HANDED_ON, 1);

  private void submitAll() {
    tracker.submit(
        job("gone").every(MINUTE).build(),
        job("edited").every(MINUTE).build(),
        job("holes").every(MINUTE).build(),
        job("sleeps").every(MINUTE).build(),
        job("torn").fixedDelay(MINUTE).at(inMillis(60_000)).build(),
        job("stuck").every(Duration.ofSeconds(10)).times(3).overlap(OverlapPolicy.skip()).build(),
        job("turns")
            .every(Duration.ofSeconds(10))
            .times(3)
            .overlap(OverlapPolicy.queue(9))
            .misfire(MisfirePolicy.all())
            .build());
    time.pass(Duration.ofSeconds(10));
    worker.take(20);
  }

  private void breakAll() {
    byHand("DELETE FROM jt_job WHERE task_id = 'gone'");
    byHand("UPDATE jt_job SET version = 2 WHERE task_id = 'edited'");
    byHand(
        "DELETE FROM jt_waiting_orders WHERE task_id = 'holes' AND planned_at IN (%d, %d, %d)"
            .formatted(
                inMillis(110_000).toEpochMilli(),
                inMillis(290_000).toEpochMilli(),
                inMillis(350_000).toEpochMilli()));
    byHand("UPDATE jt_job SET generate_at = NULL WHERE task_id = 'sleeps'");
    byHand("DELETE FROM jt_waiting_orders WHERE task_id = 'torn'");
    byHand("UPDATE jt_job SET running = 5 WHERE task_id = 'stuck'");
    byHand("DELETE FROM jt_executing WHERE task_id = 'turns'");
  }

  private Map<String, List<Long>> everythingPlanned() {
    Map<String, List<Long>> planned = new TreeMap<>();
    for (String task : List.of("gone", "edited", "holes", "sleeps", "torn", "stuck", "turns")) {
      planned.put(task, plannedInstants(task));
    }
    return planned;
  }

  @Test
  void allDamagesTogetherAreRepairedInOneRun() {
    submitAll();
    assertNothingToRepair();
    Map<String, List<Long>> before = everythingPlanned();
    breakAll();

    Reconciled done = tracker.reconcile();

    assertThat(done.repaired()).isEqualTo(ALL_OF_IT);
    assertThat(done.first()).hasSize(5);
    assertThat(logged())
        .hasSizeGreaterThan(5)
        .allMatch(line -> line.startsWith("WARN reconcile: "));
    assertNothingToRepair();
    before.put("gone", List.of());
    assertThat(everythingPlanned()).isEqualTo(before);
    work(Duration.ofMinutes(15));
    assertNothingToRepair();
    for (String task : before.keySet()) {
      if (!task.equals("turns")) {
        assertOneDispositionEach(task);
      }
    }
  }

  /** Whichever of its transactions fails, and however: looking again repairs what is left. */
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"UNREACHABLE", "COMMITTED_OUT_OF_REACH", "ROLLED_BACK_OUT_OF_REACH"})
  void storeThatFailsInTheMiddleLeavesNothingHalfDone(Fault fault) {
    int failures = 0;
    boolean failed = true;
    for (int transaction = 1; failed; transaction++) {
      openTracker();
      connectWorkerAgain();
      submitAll();
      Map<String, List<Long>> before = everythingPlanned();
      breakAll();
      FaultyTransactions faulty = new FaultyTransactions(stores.transactions());
      HandDrivenTracker shaky =
          new HandDrivenTracker(3, FaultyTransactions.around(stores, faulty), time);
      failed = failsAt(shaky, faulty, transaction, fault);
      failures += failed ? 1 : 0;

      tracker.reconcile();

      logged();
      assertNothingToRepair();
      before.put("gone", List.of());
      assertThat(everythingPlanned()).isEqualTo(before);
      assertThat(ends("gone")).hasSize(10).containsOnly("CANCELLED");
    }
    assertThat(failures).as("transactions that failed").isGreaterThanOrEqualTo(7);
  }

  private void connectWorkerAgain() {
    worker = tracker.worker("worker-1");
  }

  /** Returns whether there was a transaction of this number. */
  private static boolean failsAt(
      HandDrivenTracker shaky, FaultyTransactions faulty, int number, Fault fault) {
    faulty.failAfter(number - 1, fault);
    try {
      return shaky.reconcile().failed() > 0;
    } catch (StoreException e) {
      assertThat(e).hasMessageContaining("reconcile");
      return true;
    }
  }

  @Test
  void storeThatCannotBeReachedIsAFailureAndNotAnEmptyRun() {
    submitAll();
    breakAll();
    FaultyTransactions faulty = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, faulty), time);
    faulty.failAll(Fault.UNREACHABLE);

    assertThatThrownBy(shaky::reconcile).isInstanceOf(StoreUnavailableException.class);
  }

  // Page by page.

  @Test
  void runEndsAfterItsPagesAndTheNextOneGoesOnThere() {
    for (int i = 10; i < 30; i++) {
      tracker.submit(job("poll-" + i).every(MINUTE).times(2).build());
    }
    byHand("DELETE FROM jt_waiting_orders WHERE planned_at > " + inMillis(1).toEpochMilli());
    GroupReconciler paged = reconciler(stores, new GroupReconciler.Pages(3, 4, 3, 2));
    List<Integer> repaired = new ArrayList<>();
    for (int run = 0; run < 5; run++) {
      Reconciled done = paged.runOnce(time.millis());
      assertThat(done.jobs()).isLessThanOrEqualTo(6);
      assertThat(done.triggers()).isLessThanOrEqualTo(8);
      repaired.add(done.count(Inconsistency.TRIGGER_MISSING));
    }

    assertThat(repaired).containsExactly(6, 6, 6, 2, 0);
    logged();
    assertNothingToRepair();
  }

  @Test
  void straysOnLaterPagesAreFoundByLaterRuns() {
    for (int i = 10; i < 20; i++) {
      tracker.submit(job("poll-" + i).every(MINUTE).times(2).build());
    }
    byHand("DELETE FROM jt_job WHERE task_id > 'poll-16'");
    GroupReconciler paged = reconciler(stores, new GroupReconciler.Pages(3, 4, 3, 2));
    int repaired = 0;
    for (int run = 0; run < 4; run++) {
      repaired += paged.runOnce(time.millis()).count(Inconsistency.TRIGGER_WITHOUT_JOB);
    }

    assertThat(repaired).isEqualTo(6);
    logged();
    assertNothingToRepair();
  }

  private GroupReconciler reconciler(Stores over, GroupReconciler.Pages pages) {
    return HandDrivenTracker.reconciler(over, tracker.ids(), tracker.signals(), pages);
  }

  // Beside others, who act between what it reads.

  private Reconciled reconcileAround(Class<?> store, String method, Runnable meanwhile) {
    return reconciler(
            Interruptions.after(stores, store, method, meanwhile), GroupReconciler.Pages.DEFAULT)
        .runOnce(time.millis());
  }

  private void assertNothingWasDone(Reconciled done) {
    assertThat(done.repaired()).isEmpty();
    assertThat(done.failed()).isZero();
    assertNothingToRepair();
  }

  @Test
  void jobThatIsEditedAfterItsTriggersWereReadHasNoStrays() {
    tracker.submit(job("poll").every(MINUTE).build());
    assertNothingWasDone(
        reconcileAround(
            WaitingStore.class,
            "list",
            () ->
                tracker.submit(
                    job("poll").every(MINUTE).priority(7).replaceExisting(true).build())));
    assertThat(ends("poll")).containsExactly("CANCELLED");
  }

  @Test
  void jobThatIsCancelledAfterItsTriggersWereReadHasNoStrays() {
    tracker.submit(job("poll").every(MINUTE).build());
    assertNothingWasDone(reconcileAround(WaitingStore.class, "list", () -> tracker.cancel("poll")));
    assertThat(ends("poll")).hasSize(1);
  }

  @Test
  void jobThatIsCancelledAfterItWasReadLacksNoTriggers() {
    tracker.submit(job("poll").every(MINUTE).build(), job("chain").fixedDelay(MINUTE).build());
    assertNothingWasDone(
        reconcileAround(
            JobStore.class,
            "findByTasks",
            () -> {
              tracker.cancel("poll");
              tracker.cancel("chain");
            }));
    assertThat(waiting("poll")).isEmpty();
    assertThat(waiting("chain")).isEmpty();
  }

  @Test
  void chainWhoseTriggerMovesOnWhileItIsLookedForIsWhole() {
    tracker.submit(job("chain").fixedDelay(MINUTE).build());
    Assignment running = worker.takeOne();
    assertNothingWasDone(
        reconcileAround(WaitingStore.class, "tally", () -> worker.succeed(running)));
    assertThat(waiting("chain")).hasSize(1);
    assertThat(ends("chain")).containsExactly("SUCCEEDED");
  }

  @Test
  void turnsThatAreTakenWhileTheyAreCountedAreCountedRight() {
    tracker.submit(job("poll").every(MINUTE).overlap(OverlapPolicy.skip()).build());
    assertNothingWasDone(reconcileAround(WaitingStore.class, "tally", () -> worker.takeOne()));
    assertThat(row("poll").running()).isOne();
  }

  @Test
  void turnThatIsHandedOnWhileItIsCountedIsHandedOnOnce() {
    tracker.submit(
        job("poll").every(Duration.ofSeconds(10)).times(2).overlap(OverlapPolicy.queue(5)).build());
    Assignment running = worker.takeOne();
    time.pass(Duration.ofSeconds(10));
    worker.take(5);
    assertNothingWasDone(
        reconcileAround(RunStore.class, "findByTasks", () -> worker.succeed(running)));
    assertThat(worker.take(5)).hasSize(1);
  }

  /** The generator and a reconciler write the same triggers at the same time. */
  @Test
  void triggersThatAreWrittenMeanwhileAreNotWrittenTwice() {
    tracker.submit(job("poll").every(MINUTE).build());
    List<Long> before = plannedInstants("poll");
    byHand("DELETE FROM jt_waiting_orders WHERE planned_at > " + inMillis(90_000).toEpochMilli());

    Reconciled done =
        reconcileAround(WaitingStore.class, "tally", () -> anotherTracker().reconcile());

    assertThat(done.repaired()).isEmpty();
    assertThat(plannedInstants("poll")).isEqualTo(before);
  }
}
