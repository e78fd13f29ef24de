package io.millrace.jobtracker.batch;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.WORKER_LEASE;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.PartOutcome;
import io.millrace.internal.protocol.PartResult;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.RowsWritten;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.group.batch.LostWorkersTask;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Parts of broadcasts whose workers are gone before they ran them. */
class LostWorkersTest extends ServiceTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static final Duration HOUR = Duration.ofHours(1);
  private static final RetryPolicy LONG_BACK_OFF = RetryPolicy.retries(2).withDelays(HOUR, HOUR);

  private HandDrivenWorker one;
  private HandDrivenWorker two;

  @BeforeEach
  void connectWorkers() {
    one = tracker.worker("worker-1").ofProcess(7);
    two = tracker.worker("worker-2").ofProcess(7);
    one.beat();
    two.beat();
  }

  private static Job.Builder broadcast() {
    return job("reload").broadcast().retry(RetryPolicy.NONE);
  }

  private Batch batch() {
    return stores.batches().findUnderWay(GROUP, 0, 10).get(0);
  }

  /** Splits a run into parts for both, and lets the first worker do its own. */
  private long begun(Job job) {
    tracker.submit(job);
    one.succeed(takeOwn(one));
    return batch().id();
  }

  private static Assignment takeOwn(HandDrivenWorker from) {
    List<Assignment> parts = from.take(1);
    return (parts.isEmpty() ? from.take(1) : parts).get(0);
  }

  /** Only the first worker is heard. */
  private void passWithoutTheOther(Duration duration) {
    for (Duration left = duration; left.toMillis() > 0; left = left.minus(SECOND)) {
      tracker.recoverFor(SECOND);
      one.beat();
    }
  }

  private LedgerEntry endOfPart(long batchId) {
    return stores.ledger().findByJob(batchId).stream()
        .filter(row -> row.status() != LedgerStatus.SUCCEEDED)
        .reduce((first, last) -> last)
        .orElseThrow();
  }

  private void endRun() {
    tracker.runBatches();
  }

  // When a worker is gone.

  @Test
  void partOfAWorkerThatIsSilentForALeaseIsSkipped() {
    long batchId = begun(broadcast().build());
    passWithoutTheOther(WORKER_LEASE.minus(SECOND));
    assertThat(tracker.endLostParts()).isNull();

    passWithoutTheOther(SECOND.multipliedBy(2));
    assertThat(tracker.endLostParts()).isEqualTo(new LostWorkersTask.Done(1));
    endRun();

    assertThat(endOfPart(batchId).status()).isEqualTo(LedgerStatus.SKIPPED);
    assertThat(endOfPart(batchId).cause()).isEqualTo(Cause.of(CauseCode.WORKER_GONE, "worker-2"));
    assertThat(ends("reload")).containsExactly("SUCCEEDED");
    assertThat(tracker.endLostParts()).isNull();
  }

  @Test
  void partOfAWorkerThatDrainsIsSkippedAtOnce() {
    long batchId = begun(broadcast().build());

    tracker.desk().drain(List.of(new Drain("worker-2", GROUP, 7)));
    tracker.endLostParts();

    assertThat(endOfPart(batchId).status()).isEqualTo(LedgerStatus.SKIPPED);
  }

  @Test
  void laterProcessOfTheNodeIdDoesNotGetThePart() {
    long batchId = begun(broadcast().build());
    HandDrivenWorker restarted = tracker.worker("worker-2").ofProcess(8);

    assertThat(restarted.take(5)).isEmpty();
    tracker.endLostParts();

    assertThat(endOfPart(batchId).status()).isEqualTo(LedgerStatus.SKIPPED);
    assertThat(restarted.take(5)).isEmpty();
  }

  @Test
  void workerThatComesBackInTimeKeepsItsPart() {
    begun(broadcast().build());
    tracker.desk().disconnected(two.peer());
    passWithoutTheOther(WORKER_LEASE.minus(SECOND));

    two = two.reconnected();
    two.beat();
    passWithoutTheOther(SECOND.multipliedBy(5));

    assertThat(tracker.endLostParts()).isNull();
    assertThat(two.take(5)).hasSize(1);
  }

  @Test
  void trackerThatHasJustBegunEndsNothing() {
    long batchId = begun(broadcast().build());
    passWithoutTheOther(WORKER_LEASE.multipliedBy(2));
    HandDrivenTracker next = anotherTracker();
    next.load();

    assertThat(next.endLostParts()).isNull();
    next.recoverFor(WORKER_LEASE.minus(SECOND));
    assertThat(next.endLostParts()).isNull();
    next.recoverFor(SECOND.multipliedBy(2));
    assertThat(next.endLostParts()).isEqualTo(new LostWorkersTask.Done(1));

    assertThat(endOfPart(batchId).status()).isEqualTo(LedgerStatus.SKIPPED);
  }

  @Test
  void trackerThatStoodStillEndsNothing() {
    begun(broadcast().build());
    passWithoutTheOther(WORKER_LEASE.minus(SECOND));
    time.pass(WORKER_LEASE);

    assertThat(tracker.endLostParts()).as("before it has noticed").isNull();
    tracker.recover();
    assertThat(tracker.endLostParts()).isNull();
    assertThat(two.take(5)).hasSize(1);
  }

  // What becomes of the part, and of the run.

  @Test
  void jobMaySayThatThePartIsDead() {
    long batchId = begun(broadcast().onWorkerLost(WorkerLossPolicy.DEAD).build());
    passWithoutTheOther(WORKER_LEASE.plus(SECOND));

    tracker.endLostParts();
    endRun();

    assertThat(endOfPart(batchId).status()).isEqualTo(LedgerStatus.DEAD);
    assertThat(dead(PartKey.taskIdOf(batchId)))
        .singleElement()
        .satisfies(
            dead -> {
              assertThat(dead.cause()).isEqualTo(Cause.of(CauseCode.WORKER_GONE, "worker-2"));
              assertThat(dead.params().json()).contains("reload");
            });
    assertThat(ends("reload")).containsExactly("DEAD");
  }

  @Test
  void deadPartKeepsParametersThatMemoryDoesNotHold() {
    long batchId =
        begun(
            broadcast()
                .onWorkerLost(WorkerLossPolicy.DEAD)
                .param("large", "x".repeat(100_000))
                .build());
    passWithoutTheOther(WORKER_LEASE.plus(SECOND));

    tracker.endLostParts();

    assertThat(stores.dead().find(endOfPart(batchId).id()).orElseThrow().params().bytes())
        .isGreaterThan(100_000);
  }

  @Test
  void runOfWhichAllPartsWereSkippedSucceeds() {
    tracker.submit(broadcast().build());
    one.report(takeOwn(one), Outcome.NOT_STARTED);
    tracker.desk().drain(List.of(new Drain("worker-1", GROUP, 7), new Drain("worker-2", GROUP, 7)));

    assertThat(tracker.endLostParts()).isEqualTo(new LostWorkersTask.Done(2));
    endRun();

    assertThat(ends("reload")).containsExactly("SUCCEEDED");
  }

  @Test
  void skippedPartStopsNothing() {
    tracker.submit(broadcast().onPartFailure(PartFailurePolicy.STOP).build());
    Assignment own = takeOwn(one);
    tracker.desk().drain(List.of(new Drain("worker-2", GROUP, 7)));
    tracker.endLostParts();
    endRun();
    assertThat(batch().counts().ended()).isEqualTo(new PartEnds(0, 0, 0, 0, 1));

    one.succeed(own);
    endRun();

    assertThat(ends("reload")).containsExactly("SUCCEEDED");
  }

  @Test
  void deadPartStopsTheOthersIfTheJobSaysSo() {
    tracker.submit(
        broadcast()
            .onWorkerLost(WorkerLossPolicy.DEAD)
            .onPartFailure(PartFailurePolicy.STOP)
            .build());
    Assignment own = takeOwn(one);
    tracker.desk().drain(List.of(new Drain("worker-2", GROUP, 7)));
    tracker.endLostParts();
    endRun();

    one.report(own, Outcome.INTERRUPTED);
    endRun();

    assertThat(ends("reload")).containsExactly("DEAD");
  }

  @Test
  void reduceSeesWhichPartsWereSkipped() {
    tracker.submit(broadcast().reduce("sum").build());
    one.succeed(takeOwn(one), "1");
    tracker.desk().drain(List.of(new Drain("worker-2", GROUP, 7)));
    tracker.endLostParts();
    endRun();

    Assignment reduce = one.takeOne();

    assertThat(one.parts(reduce, 0).parts())
        .extracting(PartResult::outcome)
        .containsExactly(PartOutcome.SUCCEEDED, PartOutcome.SKIPPED);
  }

  // Attempts.

  @Test
  void attemptOfALostWorkerIsRescuedAndThenSkipped() {
    tracker.submit(broadcast().retry(RetryPolicy.retries(2)).build());
    one.succeed(takeOwn(one));
    long batchId = batch().id();
    two.take(1);

    passWithoutTheOther(WORKER_LEASE.plus(SECOND.multipliedBy(3)));
    List<WaitingTrigger> again = waiting(PartKey.taskIdOf(batchId));
    assertThat(again).singleElement().satisfies(row -> assertThat(row.attempt()).isEqualTo(2));
    assertThat(one.take(5)).isEmpty();
    tracker.endLostParts();
    endRun();

    assertThat(stores.ledger().findByJob(batchId))
        .extracting(LedgerEntry::status)
        .contains(LedgerStatus.RESCUED, LedgerStatus.SKIPPED);
    assertThat(ends("reload")).containsExactly("SUCCEEDED");
  }

  @Test
  void partThatWaitsForItsNextAttemptIsSkippedBeforeItsTime() {
    tracker.submit(broadcast().retry(RetryPolicy.retries(2).withDelays(SECOND, SECOND)).build());
    one.succeed(takeOwn(one));
    two.report(two.take(1).get(0), Outcome.EXCEPTION);
    tracker.load();
    tracker.desk().drain(List.of(new Drain("worker-2", GROUP, 7)));

    assertThat(tracker.endLostParts()).isEqualTo(new LostWorkersTask.Done(1));
  }

  @Test
  void partThatWaitsLongForItsNextAttemptIsSkippedAfterTheNextLoad() {
    long batchId = begun(broadcast().retry(LONG_BACK_OFF).build());
    two.report(two.take(1).get(0), Outcome.EXCEPTION);
    tracker.load();
    assertThat(tracker.endLostParts()).as("while its worker is there").isNull();

    tracker.desk().drain(List.of(new Drain("worker-2", GROUP, 7)));
    tracker.load();

    assertThat(tracker.endLostParts()).isEqualTo(new LostWorkersTask.Done(1));
    endRun();
    assertThat(endOfPart(batchId).cause()).isEqualTo(Cause.of(CauseCode.WORKER_GONE, "worker-2"));
    assertThat(ends("reload")).containsExactly("SUCCEEDED");
  }

  @Test
  void workerWithoutTheHandlerIsAskedOnce() {
    long batchId = begun(broadcast().build());
    two.report(two.take(1).get(0), Outcome.UNKNOWN_HANDLER);
    endRun();

    assertThat(endOfPart(batchId).cause()).isEqualTo(Cause.of(CauseCode.HANDLER_UNKNOWN));
    assertThat(ends("reload")).containsExactly("SUCCEEDED");
  }

  @Test
  void workerWithoutTheHandlerMakesThePartDeadIfTheJobSaysSo() {
    begun(broadcast().onWorkerLost(WorkerLossPolicy.DEAD).build());
    two.report(two.take(1).get(0), Outcome.UNKNOWN_HANDLER);
    endRun();

    assertThat(ends("reload")).containsExactly("DEAD");
  }

  // Others that write the same rows.

  @Test
  void partThatAnotherTrackerHasEndedIsEndedOnce() {
    long batchId = begun(broadcast().build());
    tracker.desk().drain(List.of(new Drain("worker-2", GROUP, 7)));
    HandDrivenTracker other = anotherTracker();
    other.load();
    other.desk().drain(List.of(new Drain("worker-2", GROUP, 7)));

    tracker.endLostParts();
    other.endLostParts();

    assertThat(batch().counts().ended()).isEqualTo(new PartEnds(1, 0, 0, 0, 1));
    assertThat(stores.ledger().findByJob(batchId)).hasSize(2);
  }

  @Test
  void partsOfARunThatWasCancelledAreLeftToTheCancel() {
    long batchId = begun(broadcast().build());
    HandDrivenTracker other = anotherTracker();
    other.load();
    other.desk().drain(List.of(new Drain("worker-2", GROUP, 7)));
    tracker.cancel("reload");

    other.endLostParts();
    endRun();

    assertThat(endOfPart(batchId).status()).isEqualTo(LedgerStatus.CANCELLED);
    assertThat(ends("reload")).containsExactly("CANCELLED");
  }

  @Test
  void partsOfManyWorkersAreDeadAPortionAtATime() {
    RowsWritten written = new RowsWritten();
    tracker = new HandDrivenTracker(3, written.of(stores), time);
    one = tracker.worker("worker-1").ofProcess(7);
    one.beat();
    IntStream.range(0, 1_000).forEach(n -> tracker.worker("many-" + n).beat());
    for (int n = 0; n < 4; n++) {
      tracker.submit(
          job("reload-" + n).broadcast().onWorkerLost(WorkerLossPolicy.DEAD).reduce("sum").build());
    }
    one.take(4);
    passWithoutTheOther(WORKER_LEASE.plus(SECOND));
    int rounds = 0;
    while (!stores.batches().findUnderWay(GROUP, 0, 1).isEmpty()) {
      assertThat(rounds++).isLessThan(10);
      passWithoutTheOther(SECOND);
      tracker.endLostParts();
      tracker.runBatches();
      one.take(10).forEach(one::succeed);
    }

    assertThat(ends("reload-3")).containsExactly("DEAD");
    assertThat(dead("reload-3")).hasSize(1);
    assertThat(written.most().get("end parts of orders whose workers are gone"))
        .as("rows of waiting, ledger, dead triggers and parts")
        .isBetween(4 * LostParts.MOST, 4 * LostParts.MOST + 10)
        .isLessThan(2_000);
  }
}
