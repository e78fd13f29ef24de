package io.millrace.jobtracker.batch;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RejectReason;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.BatchStats;
import io.millrace.jobtracker.domain.batch.BatchStop;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs that are split into shards, from the claim that splits them to their end. */
class ShardsTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  private Batch batch() {
    return stores.batches().findUnderWay(GROUP, 0, 10).get(0);
  }

  /** Splits the run that is due, and takes its parts: the pull that split it may have the first. */
  private List<Assignment> takeParts(int most) {
    List<Assignment> parts = new ArrayList<>(worker.take(1));
    if (parts.size() < most) {
      parts.addAll(worker.take(most - parts.size()));
    }
    return parts;
  }

  private List<LedgerEntry> endsOfParts(long batchId) {
    return stores.ledger().findByJob(batchId);
  }

  @Test
  void eachPartRunsOnceAndKnowsWhichItIs() {
    tracker.submit(job("close").shards(3).param("year", "2026").build());

    List<Assignment> parts = takeParts(10);

    assertThat(parts).extracting(Assignment::shard).containsExactlyInAnyOrder(0, 1, 2);
    assertThat(parts)
        .allSatisfy(
            part -> {
              assertThat(part.shards()).isEqualTo(3);
              assertThat(part.taskId()).isEqualTo("close");
              assertThat(part.params()).containsEntry("year", "2026");
            });
    assertThat(executing("close")).isEmpty();
    assertThat(batch().counts().live()).isEqualTo(3);
  }

  @Test
  void aTransactionMovesFewPartsWithLargeParameters() {
    String mebibyte = "x".repeat(1_000_000);
    tracker.submit(job("close").shards(10).param("what", mebibyte).build());
    tracker.submit(job("open").shards(10).param("what", mebibyte).build());

    assertThat(worker.take(2)).as("what the pull gets that splits both").isNotEmpty();
    assertThat(released()).isEqualTo(4);

    assertThat(tracker.runBatches()).isNotNull();
    assertThat(released()).isEqualTo(20);
  }

  private int released() {
    return stores.batches().findUnderWay(GROUP, 0, 10).stream()
        .mapToInt(batch -> batch.counts().released())
        .sum();
  }

  @Test
  void runEndsOnceAfterItsLastPart() {
    tracker.submit(job("close").shards(2).feedback(true).build());
    List<Assignment> parts = takeParts(10);
    long batchId = batch().id();

    worker.succeed(parts.get(0));
    assertThat(tracker.runBatches()).isNull();
    assertThat(ends("close")).isEmpty();
    worker.succeed(parts.get(1));
    assertThat(tracker.runBatches()).isNotNull();
    assertThat(tracker.runBatches()).isNull();

    assertThat(ledger("close"))
        .singleElement()
        .satisfies(
            end -> {
              assertThat(end.id()).isEqualTo(batchId);
              assertThat(end.status()).isEqualTo(LedgerStatus.SUCCEEDED);
              assertThat(end.workerId()).isEqualTo("worker-1");
            });
    assertThat(endsOfParts(batchId)).hasSize(2);
    assertThat(stores.batches().findUnderWay(GROUP, 0, 10)).isEmpty();
    assertThat(stores.feedback().read("shop", 0, 10)).hasSize(1);
  }

  @Test
  void runEndsAfterItsPartsEvenIfThePassBeganBefore() {
    tracker.submit(job("close").shards(2).build());
    long begun = inMillis(0).toEpochMilli();
    List<Assignment> parts = takeParts(10);
    time.pass(Duration.ofSeconds(5));
    parts.forEach(worker::succeed);
    long last = inMillis(0).toEpochMilli();

    tracker.runBatchesBegunAt(begun);

    assertThat(last).isEqualTo(begun + 5_000);
    assertThat(ledger("close"))
        .singleElement()
        .satisfies(end -> assertThat(end.times().finishedAt()).isEqualTo(last));
  }

  @Test
  void repeatedReportOfAPartIsCountedOnce() {
    tracker.submit(job("close").shards(2).build());
    List<Assignment> parts = takeParts(10);

    worker.succeed(parts.get(0));
    worker.succeed(parts.get(0));

    assertThat(batch().counts().ended()).isEqualTo(new PartEnds(1, 0, 0, 0, 0));
  }

  @Test
  void failedPartIsRetriedAndADeadOneMakesTheRunDead() {
    tracker.submit(job("close").shards(2).retry(RetryPolicy.retries(1)).build());
    List<Assignment> parts = takeParts(10);
    worker.succeed(parts.get(0));
    worker.report(parts.get(1), Outcome.EXCEPTION);
    assertThat(batch().counts().live()).isEqualTo(1);
    time.pass(MINUTE);
    Assignment retry = worker.takeOne();
    assertThat(retry.attempt()).isEqualTo(2);
    assertThat(retry.shard()).isEqualTo(parts.get(1).shard());

    worker.report(retry, Outcome.EXCEPTION);
    tracker.runBatches();

    assertThat(ledger("close"))
        .singleElement()
        .satisfies(
            end -> {
              assertThat(end.status()).isEqualTo(LedgerStatus.DEAD);
              assertThat(end.cause()).isEqualTo(Cause.of(CauseCode.PARTS_FAILED, 1, 2));
            });
    assertThat(dead("close")).hasSize(1);
  }

  @Test
  void lostWorkerLosesItsPartsAndNotTheRun() {
    tracker.submit(job("close").shards(2).build());
    takeParts(10);

    tracker.recoverFor(HandDrivenTracker.WORKER_LEASE.multipliedBy(2));

    assertThat(batch().counts().live()).isEqualTo(2);
    HandDrivenWorker other = tracker.worker("worker-2");
    List<Assignment> again = other.take(10);
    assertThat(again).extracting(Assignment::attempt).containsExactly(2, 2);
    again.forEach(other::succeed);
    tracker.runBatches();
    assertThat(ends("close")).hasSize(1);
  }

  @Test
  void partsFollowThroughTheWindow() {
    tracker.submit(job("close").shards(1_000).build());
    Assignment running = worker.takeOne();
    assertThat(batch().counts().released()).isEqualTo(256);
    assertThat(tracker.runBatches()).isNull();

    List<Assignment> first = worker.takeAll(64);
    first.forEach(worker::succeed);
    assertThat(tracker.runBatches()).as("a quarter of the window is free").isNull();
    worker.succeed(worker.takeOne());
    assertThat(tracker.runBatches().released()).isEqualTo(65);

    assertThat(batch().counts().live()).isEqualTo(256);
    assertThat(running.shard()).isZero();
    assertThat(stores.waiting().findByTask(GROUP, PartKey.taskIdOf(batch().id()))).hasSize(255);
  }

  @Test
  void ownerCountsThePartsThatItSees() {
    assertThat(tracker.batchStats()).isEqualTo(BatchStats.NONE);
    tracker.submit(job("close").shards(1_000).build());
    worker.report(takeParts(1).get(0), Outcome.FAILED);
    time.pass(MINUTE);
    tracker.runBatches();

    assertThat(tracker.batchStats())
        .isEqualTo(new BatchStats(1, 1, 1, 255, 744, MINUTE.toMillis()));
  }

  @Test
  void allPartsOfALargeRunAreDone() {
    tracker.submit(job("close").shards(700).build());
    worker.succeed(worker.takeOne());
    int done = 1;
    while (stores.batches().findUnderWay(GROUP, 0, 1).size() == 1) {
      List<Assignment> some = worker.take(100);
      assertThat(some).as("after %s parts", done).isNotEmpty();
      worker.reportAll(
          some.stream()
              .map(part -> worker.result(part.executionId(), Outcome.SUCCESS, null))
              .toArray(ExecutionResult[]::new));
      done += some.size();
      tracker.runBatches();
    }

    assertThat(done).isEqualTo(700);
    assertThat(ends("close")).hasSize(1);
  }

  // Turns and chains.

  @Test
  void runHasItsTurnUntilItsEnd() {
    tracker.submit(
        job("poll")
            .every(MINUTE)
            .at(inMillis(0))
            .shards(2)
            .overlap(OverlapPolicy.queue(1))
            .build());
    List<Assignment> parts = takeParts(10);
    time.pass(MINUTE);
    assertThat(worker.take(10)).isEmpty();
    assertThat(waiting("poll")).anyMatch(WaitingTrigger::isHeld);

    parts.forEach(worker::succeed);
    tracker.runBatches();

    assertThat(takeParts(10)).hasSize(2);
  }

  @Test
  void nextTriggerOfAChainComesAtTheEnd() {
    tracker.submit(job("poll").fixedDelay(MINUTE).shards(2).build());
    List<Assignment> parts = takeParts(10);
    worker.succeed(parts.get(0));
    assertThat(waiting("poll")).isEmpty();

    worker.succeed(parts.get(1));
    tracker.runBatches();

    assertThat(waiting("poll")).hasSize(1);
  }

  @Test
  void editLeavesTheRunAsItBegan() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(0)).shards(2).param("a", "1").build());
    List<Assignment> parts = takeParts(1);
    tracker.submit(
        job("poll")
            .every(MINUTE)
            .at(inMillis(0))
            .shards(5)
            .param("a", "2")
            .replaceExisting(true)
            .build());
    worker.report(parts.get(0), Outcome.EXCEPTION);
    time.pass(Duration.ofSeconds(50));

    List<Assignment> rest = worker.take(10);

    assertThat(rest).hasSize(2);
    assertThat(rest).allSatisfy(part -> assertThat(part.shards()).isEqualTo(2));
    assertThat(rest).allSatisfy(part -> assertThat(part.params()).containsEntry("a", "1"));
  }

  // Stops.

  @Test
  void cancelDeletesWhatWaitsAndStopsWhatRuns() {
    tracker.submit(job("close").shards(400).build());
    List<Assignment> running = takeParts(3);
    long batchId = batch().id();

    assertThat(tracker.cancel("close").found()).isTrue();

    Batch stopping = batch();
    assertThat(stopping.state()).isEqualTo(BatchState.STOPPING);
    assertThat(stopping.counts().live()).isEqualTo(3);
    assertThat(worker.take(10)).isEmpty();
    assertThat(endsOfParts(batchId).stream().mapToLong(LedgerEntry::instants).sum()).isEqualTo(397);
    worker.report(running.get(0), Outcome.EXCEPTION);
    worker.succeed(running.get(1));
    worker.report(running.get(2), Outcome.INTERRUPTED);
    tracker.runBatches();
    assertThat(ledger("close"))
        .singleElement()
        .satisfies(end -> assertThat(end.status()).isEqualTo(LedgerStatus.CANCELLED));
    assertThat(endsOfParts(batchId).stream().mapToLong(LedgerEntry::instants).sum()).isEqualTo(400);
  }

  @Test
  void cancelOfARunOfWhichNothingRunsEndsIt() {
    tracker.submit(job("close").shards(4).build());
    worker.succeed(worker.takeOne());

    tracker.cancel("close");
    tracker.runBatches();

    assertThat(ends("close")).hasSize(1);
    assertThat(tracker.cancel("close").found()).isFalse();
  }

  @Test
  void terminationNamesWhoTerminated() {
    tracker.submit(job("close").shards(4).build());
    worker.succeed(worker.takeOne());

    tracker.terminate("close", batch().id());
    tracker.runBatches();

    assertThat(ledger("close").get(0).cause().code()).isEqualTo(CauseCode.TERMINATED_BY);
  }

  /** Why a run was told to end, whose part does not look whether it is to stop. */
  @ParameterizedTest
  @CsvSource({
    "CANCELLED, CANCELLED",
    "DEADLINE, DEAD",
    "PART_FAILED, FAILED",
  })
  void terminationOfARunThatStopsInterruptsWhatStillRuns(BatchStop why, LedgerStatus end) {
    tracker.submit(
        job("close").shards(4).onPartFailure(PartFailurePolicy.STOP).within(MINUTE).build());
    List<Assignment> running = takeParts(2);
    long batchId = batch().id();
    switch (why) {
      case CANCELLED -> tracker.cancel("close");
      case DEADLINE -> time.pass(MINUTE);
      case PART_FAILED -> worker.report(running.get(1), Outcome.FAILED);
    }
    tracker.runBatches();
    if (why != BatchStop.PART_FAILED) {
      worker.report(running.get(1), Outcome.INTERRUPTED);
    }
    assertThat(batch().stop()).isEqualTo(why);
    assertThat(worker.beat().interrupt()).isEmpty();

    assertThat(tracker.terminate("close").running()).isEqualTo(1);

    long left = running.get(0).executionId();
    assertThat(worker.beat().interrupt()).containsExactly(left);
    worker.report(running.get(0), Outcome.INTERRUPTED);
    tracker.runBatches();
    assertThat(ends("close")).containsExactly(end.name());
    assertThat(endsOfParts(batchId))
        .filteredOn(part -> part.id() == left)
        .extracting(LedgerEntry::cause)
        .containsExactly(Cause.of(CauseCode.TERMINATED_BY, "shop/client-1"));
    assertThat(tracker.submit(job("close").build()).isStored()).isTrue();
  }

  // Who may run parts.

  @Test
  void workerThatDoesNotKnowPartsNeitherSplitsNorGetsAny() {
    tracker.submit(job("close").shards(2).build());
    HandDrivenWorker old = tracker.worker("old").withoutFeatures();

    assertThat(old.take(5)).isEmpty();
    assertThat(waiting("close")).hasSize(1);
    time.pass(Duration.ofSeconds(2));
    worker.takeOne();
    assertThat(old.take(5)).isEmpty();
    time.pass(Duration.ofSeconds(2));
    assertThat(worker.take(5)).hasSize(1);
  }

  @Test
  void numberOfShardsIsBounded() {
    for (int shards : new int[] {-1, 0, 1_001}) {
      assertThat(tracker.submit(job("a-" + shards).shards(shards).build()).reason())
          .isEqualTo(RejectReason.BAD_SHARDS);
    }
    IntStream.of(1, 1_000)
        .forEach(
            shards ->
                assertThat(tracker.submit(job("b-" + shards).shards(shards).build()).reason())
                    .isNull());
  }
}
