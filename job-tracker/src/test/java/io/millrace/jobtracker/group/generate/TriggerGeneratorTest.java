package io.millrace.jobtracker.group.generate;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Outcome;
import io.millrace.api.Schedule;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.fixture.Interruptions;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.JobStore;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TriggerGeneratorTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void nothingIsGeneratedBeforeItIsTime() {
    tracker.submit(job("poll").every(MINUTE).build());
    time.pass(Duration.ofMinutes(5));

    assertThat(tracker.generate().isNothing()).isTrue();
  }

  @Test
  void triggersAreToppedUpBeforeTheyRunOut() {
    tracker.submit(job("poll").every(MINUTE).build());
    for (int minute = 1; minute <= 60; minute++) {
      time.pass(MINUTE);
      tracker.generate();
      long next = (time.millis() - start()) / 60_000 + 1;
      assertThat(plannedMinutes("poll")).as("in minute %d", minute).contains(next);
    }
    assertThat(plannedMinutes("poll"))
        .as("every minute once, ten ahead at least once a window")
        .containsExactlyElementsOf(
            LongStream.rangeClosed(0, plannedMinutes("poll").size() - 1).boxed().toList())
        .hasSizeBetween(61, 71);
  }

  /**
   * LTS inserted the triggers and then moved its mark: a crash between repeated past fire times.
   */
  @Test
  void crashAroundTheCommitNeitherRepeatsNorLosesAFireTime() {
    tracker.submit(job("poll").every(MINUTE).build());
    HandDrivenWorker worker = tracker.worker("worker-1");
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
    FaultyTransactions.Fault[] faults = FaultyTransactions.Fault.values();
    for (int minute = 0; minute < 40; minute++) {
      for (Assignment due = oneOrNull(worker); due != null; due = oneOrNull(worker)) {
        worker.succeed(due);
      }
      transactions.failNext(faults[minute % faults.length]);
      try {
        shaky.generate();
      } catch (StoreException lost) {
        assertThat(lost).hasMessageContaining("generate triggers of orders");
      }
      time.pass(MINUTE);
    }

    assertThat(ledger("poll").stream().map(row -> (row.plannedFor() - start()) / 60_000))
        .containsExactlyElementsOf(LongStream.range(0, 40).boxed().toList());
  }

  @Test
  void generatingTwiceFromOneMarkWritesTheTriggersOnce() {
    tracker.submit(job("poll").every(MINUTE).build());
    time.pass(Duration.ofMinutes(10));

    int first = tracker.generate().triggers();
    int second = tracker.generate().triggers();
    int byAnotherTracker = anotherTracker().generate().triggers();

    assertThat(first).isPositive();
    assertThat(second + byAnotherTracker).isZero();
    assertThat(plannedMinutes("poll")).doesNotHaveDuplicates();
  }

  /** It reads, is held up, and goes on from what it read. */
  @Test
  void trackerThatWasHeldUpWritesNothingThatItsSuccessorHasWritten() {
    tracker.submit(job("hourly").every(Duration.ofHours(1)).build());
    HandDrivenWorker worker = tracker.worker("worker-1");
    worker.succeed(worker.takeOne());
    time.pass(Duration.ofMinutes(90));
    HandDrivenTracker heldUp =
        new HandDrivenTracker(
            3,
            Interruptions.after(
                stores,
                JobStore.class,
                "findToGenerate",
                () -> {
                  tracker.generate();
                  worker.succeed(worker.takeOne());
                }),
            time);

    heldUp.generate();

    assertThat(ends("hourly")).containsExactly("SUCCEEDED", "SUCCEEDED");
    assertThat(waiting("hourly")).isEmpty();
    assertThat(definition("hourly").firedCount()).isEqualTo(2);
  }

  /** To LTS a count of -1 was reached after the first run. */
  @Test
  void endlessRepetitionGoesOn() {
    tracker.submit(job("poll").every(Duration.ofMinutes(4)).build());
    HandDrivenWorker worker = tracker.worker("worker-1");
    for (int i = 0; i < 30; i++) {
      worker.succeed(worker.takeOne());
      time.pass(Duration.ofMinutes(4));
      tracker.generate();
    }

    assertThat(ends("poll")).hasSize(30).containsOnly("SUCCEEDED");
    assertThat(definition("poll").state()).isEqualTo(JobState.ACTIVE);
  }

  @Test
  void countedRepetitionFiresThatOftenAndIsFinishedThen() {
    tracker.submit(job("poll").every(Duration.ofMinutes(4)).times(5).build());
    HandDrivenWorker worker = tracker.worker("worker-1");
    for (int i = 0; i < 5; i++) {
      assertThat(definition("poll").state()).isEqualTo(JobState.ACTIVE);
      worker.succeed(worker.takeOne());
      time.pass(Duration.ofMinutes(4));
      tracker.generate();
    }
    time.pass(MINUTE);
    tracker.generate();

    assertThat(ends("poll")).hasSize(5);
    assertThat(waiting("poll")).isEmpty();
    assertThat(definition("poll").state()).isEqualTo(JobState.FINISHED);
  }

  @Test
  void jobIsNotFinishedWhileItsLastTriggerWaitsExecutesOrIsRetried() {
    tracker.submit(job("once").every(MINUTE).times(1).build());
    HandDrivenWorker worker = tracker.worker("worker-1");
    assertNotFinishedAfter(Duration.ofMinutes(2));
    Assignment running = worker.takeOne();
    assertNotFinishedAfter(Duration.ofMinutes(2));
    worker.report(running, Outcome.EXCEPTION);
    assertNotFinishedAfter(Duration.ofMinutes(2));
    worker.succeed(worker.takeOne());
    time.pass(MINUTE);

    assertThat(tracker.generate().finished()).isEqualTo(1);
    assertThat(definition("once").state()).isEqualTo(JobState.FINISHED);
    assertThat(definition("once").version()).isEqualTo(1);
    time.pass(MINUTE);
    assertThat(tracker.generate().isNothing()).as("it is not looked at again").isTrue();
  }

  private void assertNotFinishedAfter(Duration duration) {
    time.pass(duration);
    tracker.generate();
    assertThat(definition("once").state()).isEqualTo(JobState.ACTIVE);
  }

  /** LTS selected such a job again and again without a pause. */
  @Test
  void firstFireTimeFarAheadIsLookedAtSeldomAndInTime() {
    tracker.submit(job("yearly").cron("0 0 0 1 1 ? 2027").build());
    int looks = 0;
    while (waiting("yearly").isEmpty() && looks < 1_000) {
      long pause = Math.max(definition("yearly").generateAt() - time.millis(), 0);
      time.pass(Duration.ofMillis(pause));
      TriggerGenerator.Generated generated = tracker.generate();
      assertThat(generated.jobs()).isEqualTo(1);
      looks++;
    }

    assertThat(looks).isLessThanOrEqualTo(420);
    assertThat(waiting("yearly"))
        .singleElement()
        .satisfies(row -> assertThat(row.dueAt()).isGreaterThan(time.millis()));
  }

  @Test
  void dayWithoutAnyTrackerLeavesOneRowForWhatItMissedAndOneRunToCatchUp() {
    tracker.submit(job("poll").every(MINUTE).feedback(true).build());
    HandDrivenWorker worker = tracker.worker("worker-1");
    for (Assignment due = oneOrNull(worker); due != null; due = oneOrNull(worker)) {
      worker.succeed(due);
    }
    time.pass(Duration.ofHours(24));
    int toldBefore = tracker.signals().feedback();

    tracker.generate();

    LedgerEntry missed =
        ledger("poll").stream()
            .filter(row -> row.status() == LedgerStatus.SKIPPED)
            .findFirst()
            .get();
    assertThat(missed.cause()).isEqualTo(Cause.of(CauseCode.MISSED));
    assertThat(missed.attempt()).isZero();
    assertThat(missed.instants()).isGreaterThan(1_400);
    long firstWritten =
        waiting("poll").stream()
            .mapToLong(WaitingTrigger::plannedFor)
            .filter(at -> at > missed.plannedTo())
            .min()
            .orElseThrow();
    assertThat(missed.plannedTo() + 60_000).as("nothing between").isEqualTo(firstWritten);
    assertThat(plannedMinutes("poll")).doesNotHaveDuplicates();
    assertThat(tracker.signals().feedback()).isEqualTo(toldBefore + 1);
  }

  @Test
  void moreJobsThanFitIntoOneTransactionAreAllGenerated() {
    for (int i = 0; i < 600; i++) {
      stores.jobs().insert(ready("poll-" + i, i + 1, MINUTE));
    }
    time.pass(Duration.ofMinutes(9));

    TriggerGenerator.Generated generated = tracker.generate();

    assertThat(generated.jobs()).isEqualTo(600);
    for (int i = 0; i < 600; i += 50) {
      assertThat(waiting("poll-" + i)).hasSizeGreaterThan(10);
    }
  }

  /** Locks are held, and others wait, as long as a transaction takes. */
  @Test
  void transactionIsBoundedInTriggersAsWellAsInJobs() {
    for (int i = 0; i < 100; i++) {
      stores.jobs().insert(ready("secondly-" + i, i + 1, Duration.ofSeconds(1)));
    }

    TriggerGenerator.Generated generated = tracker.generate();

    assertThat(generated.jobs()).isEqualTo(100);
    assertThat(generated.triggers()).isEqualTo(100 * 61);
    assertThat(tracker.signals().triggersDue()).as("one hint a transaction").hasSize(4);
  }

  /** What is planned under the eyes of an edit is planned again. */
  @Test
  void jobThatIsCancelledWhileItIsPlannedGetsNoTriggers() {
    tracker.submit(job("a").every(MINUTE).build());
    tracker.submit(job("b").every(MINUTE).build());
    time.pass(Duration.ofMinutes(9));
    HandDrivenTracker overtaken =
        new HandDrivenTracker(
            3,
            Interruptions.after(
                stores, JobStore.class, "findToGenerate", () -> tracker.cancel("a")),
            time);

    overtaken.generate();

    assertThat(definition("a").state()).isEqualTo(JobState.CANCELLED);
    assertThat(waiting("a")).isEmpty();
    assertThat(waiting("b")).hasSize(20);
  }

  @Test
  void hintSaysWhenTheFirstOfTheNewTriggersFallsDue() {
    tracker.submit(job("poll").every(MINUTE).build());
    time.pass(Duration.ofMinutes(9));
    tracker.signals().triggersDue().clear();

    tracker.generate();

    assertThat(tracker.signals().triggersDue()).containsExactly(start() + 11 * 60_000);
  }

  /** Whoever repairs the one row must not have the whole group stand still until then. */
  @Test
  void jobThatCannotBeGeneratedKeepsNobodyElseFromIt() {
    for (int i = 0; i < 3; i++) {
      stores.jobs().insert(broken("broken-" + i, i));
    }
    tracker.submit(job("poll").every(MINUTE).build());
    time.pass(Duration.ofMinutes(9));

    TriggerGenerator.Generated generated = tracker.generate();

    assertThat(generated.failed()).isEqualTo(3);
    assertThat(waiting("poll")).hasSize(20);
    assertThat(definition("broken-0").state()).isEqualTo(JobState.ACTIVE);
  }

  @Test
  void manyJobsThatCannotBeGeneratedKeepNobodyElseFromIt() {
    for (int i = 0; i < 60; i++) {
      stores.jobs().insert(broken("broken-" + i, i));
    }
    tracker.submit(job("poll").every(MINUTE).build());
    time.pass(Duration.ofMinutes(9));

    tracker.generate();

    assertThat(waiting("poll")).hasSize(20);
  }

  @Test
  void storeThatCannotBeReachedIsAFailureAndNotAnEmptyRun() {
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
    transactions.failAll(FaultyTransactions.Fault.UNREACHABLE);

    assertThatThrownBy(shaky::generate).isInstanceOf(StoreUnavailableException.class);
  }

  /** Accepted, and not generated yet. */
  private JobDefinition ready(String taskId, long id, Duration interval) {
    return new JobDefinition(
        id,
        GROUP,
        taskId,
        1,
        JobState.ACTIVE,
        new Schedule.Repeat(interval, null, null),
        SampleTriggers.SPEC,
        StoredParams.NONE,
        100,
        start(),
        start() - 1,
        start(),
        0,
        false);
  }

  /** Its row was edited by hand, or its zone has left the world. */
  private JobDefinition broken(String taskId, long id) {
    return new JobDefinition(
        id + 1,
        GROUP,
        taskId,
        1,
        JobState.ACTIVE,
        new Schedule.Cron("not a cron", null),
        SampleTriggers.SPEC,
        StoredParams.NONE,
        100,
        start(),
        start(),
        start() + id,
        0,
        false);
  }

  private Assignment oneOrNull(HandDrivenWorker worker) {
    List<Assignment> taken = worker.take(1);
    return taken.isEmpty() ? null : taken.get(0);
  }

  private long start() {
    return HandTime.START.toEpochMilli();
  }

  /** The minutes, from the start, of every trigger that waits or has ended. */
  private List<Long> plannedMinutes(String taskId) {
    List<Long> minutes = new ArrayList<>();
    ledger(taskId).forEach(row -> minutes.add((row.plannedFor() - start()) / 60_000));
    waiting(taskId).forEach(row -> minutes.add((row.plannedFor() - start()) / 60_000));
    return minutes.stream().sorted().toList();
  }
}
