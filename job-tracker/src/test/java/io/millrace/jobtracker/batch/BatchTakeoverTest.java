package io.millrace.jobtracker.batch;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.PartDraft;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.FaultyTransactions.Fault;
import io.millrace.jobtracker.fixture.ForwardingTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.fixture.RowsWritten;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.group.batch.BatchTask;
import io.millrace.jobtracker.store.Racer;
import io.millrace.jobtracker.store.batch.BatchStore.Staged;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one tracker began with a run that was split, and another one goes on with. */
class BatchTakeoverTest extends ServiceTest {
  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  private List<Batch> batches() {
    return stores.batches().findUnderWay(GROUP, 0, 10);
  }

  private static void succeed(HandDrivenWorker reporting, List<Assignment> parts) {
    reporting.reportAll(
        parts.stream()
            .map(part -> reporting.result(part.executionId(), Outcome.SUCCESS, null))
            .toArray(ExecutionResult[]::new));
  }

  @Test
  void partsThatWereNeverReleasedAreReleasedByTheNextOwner() {
    tracker.submit(job("close").shards(600).build());
    List<Assignment> first = worker.takeAll(200);
    succeed(worker, first);

    HandDrivenTracker next = anotherTracker();
    next.adopt();
    assertThat(next.runBatches()).isEqualTo(new BatchTask.Done(0, 0, 200));
    HandDrivenWorker other = worker.movedTo(next);
    int done = first.size();
    while (!batches().isEmpty()) {
      List<Assignment> some = other.take(200);
      assertThat(some).as("after %s", done).isNotEmpty();
      succeed(other, some);
      done += some.size();
      next.runBatches();
    }

    assertThat(done).isEqualTo(600);
    assertThat(ends("close")).containsExactly("SUCCEEDED");
    assertThat(tracker.runBatches()).as("the owner before").isNull();
  }

  @Test
  void runWhosePartsHaveEndedIsEndedByTheNextOwner() {
    tracker.submit(
        job("poll")
            .every(Duration.ofMinutes(1))
            .at(inMillis(0))
            .shards(2)
            .overlap(OverlapPolicy.queue(1))
            .build());
    List<Assignment> parts = worker.takeAll(2);
    time.pass(Duration.ofMinutes(1));
    worker.take(1);
    succeed(worker, parts);

    HandDrivenTracker next = anotherTracker();
    assertThat(next.runBatches()).isEqualTo(new BatchTask.Done(1, 0, 0));

    assertThat(next.runBatches()).isNull();
    assertThat(tracker.runBatches()).isNull();
    assertThat(ends("poll")).containsExactly("SUCCEEDED");
    assertThat(worker.movedTo(next).takeAll(2)).as("the next has its turn").hasSize(2);
  }

  @Test
  void partsThatRunWhenTheOwnerGoesAreRescuedOnce() {
    tracker.submit(job("close").shards(2).build());
    worker.takeAll(2);

    HandDrivenTracker next = anotherTracker();
    assertThat(next.adopt()).isEqualTo(2);
    next.recoverFor(HandDrivenTracker.WORKER_LEASE.multipliedBy(2));

    List<Assignment> again = next.worker("worker-2").takeAll(2);
    assertThat(again).extracting(Assignment::attempt).containsExactly(2, 2);
    assertThat(batches().get(0).counts().live()).isEqualTo(2);
  }

  /** The tracker fell between the transaction of the cancel and those that withdraw the parts. */
  @ParameterizedTest
  @ValueSource(strings = {"by the next owner", "by the repeated cancel"})
  void stopThatWasLeftIsFinished(String how) {
    tracker.submit(job("close").shards(400).build());
    List<Assignment> running = worker.takeAll(3);
    RunStopper stopper = new RunStopper(stores, tracker.ids());
    RunStopper.Stopped stopped =
        stores
            .transactions()
            .inTransaction("stop", () -> stopper.cancel(GROUP, "close", time.millis()));
    assertThat(stopped.batches()).hasSize(1);
    assertThat(batches().get(0).counts().live()).isEqualTo(256);

    HandDrivenTracker next = anotherTracker();
    if (how.equals("by the next owner")) {
      next.runBatches();
    } else {
      assertThat(next.cancel("close").found()).isTrue();
    }

    assertThat(batches().get(0).state()).isEqualTo(BatchState.STOPPING);
    assertThat(batches().get(0).counts().live()).isEqualTo(3);
    assertThat(executing(PartKey.taskIdOf(batches().get(0).id())))
        .hasSize(3)
        .allMatch(Execution::stopRequested);
    HandDrivenWorker moved = worker.movedTo(next);
    running.forEach(part -> moved.report(part, Outcome.INTERRUPTED));
    next.runBatches();
    assertThat(ends("close")).containsExactly("CANCELLED");
    assertThat(stores.ledger().countEndsOfParts(stopped.batches().get(0)))
        .isEqualTo(PartEnds.cancelled(400));
  }

  @ParameterizedTest
  @CsvSource({"false, 0", "true, 0", "true, 650"})
  void cancelOfManyBatchesAndPartsIsBoundedAndComplete(boolean reduces, int running) {
    RowsWritten written = new RowsWritten();
    HandDrivenTracker counted = new HandDrivenTracker(3, written.of(stores), time);
    Job.Builder poll =
        job("poll")
            .every(Duration.ofHours(1))
            .at(inMillis(0))
            .shards(1_000)
            .overlap(OverlapPolicy.allow());
    counted.submit(reduces ? poll.reduce("sum").build() : poll.build());
    HandDrivenWorker large = counted.worker("worker-1");
    assertThat(large.take(1)).hasSize(1);
    Batch first = batches().get(0);
    List<Batch> more = new ArrayList<>();
    for (int i = 1; i < 1_000; i++) {
      more.add(
          Batch.opened(
              run(first.run(), i, counted.ids().next(time.millis())), first.kind(), 1_000));
    }
    stores.batches().insert(more);
    releaseAll(first, counted);
    for (int taken = 0; taken < running; taken += 130) {
      assertThat(large.takeAll(130)).hasSize(130);
    }

    assertThat(counted.cancel("poll").running()).isEqualTo(1_000);

    assertThat(written.most()).isNotEmpty();
    assertThat(Collections.max(written.most().values()))
        .as("%s", written.most())
        .isLessThanOrEqualTo(2_000);
    assertThat(stores.waiting().findByTask(GROUP, PartKey.taskIdOf(first.id()))).isEmpty();
    for (Batch batch : stores.batches().findUnderWay(GROUP, 0, 2_000)) {
      assertThat(batch.state()).isEqualTo(BatchState.STOPPING);
      assertThat(batch.counts().released()).isEqualTo(1_000);
    }
    time.pass(BatchTask.PERIOD);
    counted.runBatches();
    assertThat(ledger("poll"))
        .hasSizeGreaterThanOrEqualTo(999)
        .extracting(LedgerEntry::status)
        .containsOnly(LedgerStatus.CANCELLED);
  }

  /** As if a thousand parts had been released at once. */
  private void releaseAll(Batch batch, HandDrivenTracker by) {
    Batch now = stores.batches().find(List.of(batch.id())).get(0);
    assertThat(stores.batches().release(batch.id(), now.counts().released(), 1_000)).isTrue();
    stores
        .waiting()
        .insert(
            GROUP,
            PartRelease.shards(now, now.counts().released() + 1, 1_000, by.ids(), time.millis()));
  }

  private static Execution run(Execution like, int ordinal, long id) {
    return new Execution(
        id,
        like.nodeGroup(),
        new TriggerCore(
            new TriggerKey(like.key().taskId(), like.key().plannedAt(), ordinal),
            like.core().jobId(),
            like.core().jobVersion(),
            like.plannedFor(),
            1),
        like.dueAt(),
        like.priority(),
        like.generatedAt(),
        like.spec(),
        like.params(),
        like.workerId(),
        like.claimedAt(),
        like.stopRequested(),
        like.counted(),
        like.terminatedBy());
  }

  @Test
  void whatWasStagedInVainIsDeletedInPieces() {
    RowsWritten written = new RowsWritten();
    HandDrivenTracker counted = new HandDrivenTracker(3, written.of(stores), time);
    counted.submit(job("map").build());
    Assignment run = counted.worker("worker-1").takeOne();
    List<PartDraft> parts = Collections.nCopies(1_000, new PartDraft(null, StoredParams.NONE));
    for (int first = 1; first < 2_500; first += 1_000) {
      assertThat(stores.batches().stage("worker-1", run.executionId(), first, parts))
          .isEqualTo(Staged.STORED);
    }
    assertThat(counted.runBatches()).isNull();
    assertThat(stores.parts().read(run.executionId(), 0, 5_000)).hasSize(3_000);
    stores.executing().delete(List.of(run.executionId()));

    time.pass(BatchTask.PERIOD);
    counted.runBatches();

    assertThat(stores.parts().read(run.executionId(), 0, 5_000)).isEmpty();
    assertThat(stores.batches().find(List.of(run.executionId()))).isEmpty();
    assertThat(written.most().get("delete staged parts of " + GROUP)).isEqualTo(1_000);
  }

  private HandDrivenWorker workerOfARunThatIsDue(HandDrivenTracker faced) {
    HandDrivenWorker pulling = faced.worker("worker-1");
    faced.submit(
        job("poll")
            .every(Duration.ofMinutes(1))
            .at(inMillis(0))
            .shards(2)
            .overlap(OverlapPolicy.skip())
            .build());
    faced.load();
    return pulling;
  }

  /** Who learns that it took effect goes on at once, and does not wait for the next load. */
  @ParameterizedTest
  @EnumSource(names = {"COMMITTED_IN_SILENCE", "ROLLED_BACK_IN_SILENCE"})
  void splitWhoseOutcomeIsFoundOutIsGoneOnWith(Fault fault) {
    FaultyTransactions faulty = new FaultyTransactions(stores.transactions());
    HandDrivenTracker faced =
        new HandDrivenTracker(3, ForwardingTransactions.around(stores, faulty), time);
    HandDrivenWorker pulling = workerOfARunThatIsDue(faced);
    faulty.failNext(fault);

    List<Assignment> parts = new ArrayList<>(pulling.receive(pulling.pull(1)));

    assertThat(parts).hasSize(1);
    assertThat(batches()).hasSize(1);
    assertThat(stores.jobs().turns(definition("poll").id()).running()).isEqualTo(1);
    parts.addAll(pulling.receive(pulling.pull(1)));
    succeed(pulling, parts);
    faced.runBatches();
    assertThat(ends("poll")).containsExactly("SUCCEEDED");
    assertThat(stores.jobs().turns(definition("poll").id()).running()).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"COMMITTED_OUT_OF_REACH", "ROLLED_BACK_OUT_OF_REACH"})
  void splitWhoseOutcomeIsNotFoundOutIsFoundByTheNextLoad(Fault fault) {
    FaultyTransactions faulty = new FaultyTransactions(stores.transactions());
    HandDrivenTracker faced =
        new HandDrivenTracker(3, ForwardingTransactions.around(stores, faulty), time);
    HandDrivenWorker pulling = workerOfARunThatIsDue(faced);
    faulty.failNext(fault);
    assertThat(pulling.receive(pulling.pull(1))).isEmpty();
    time.pass(Duration.ofSeconds(2));

    List<Assignment> parts = new ArrayList<>();
    for (int i = 0; i < 10 && parts.size() < 2; i++) {
      parts.addAll(pulling.take(2 - parts.size()));
    }

    assertThat(parts).extracting(Assignment::shard).containsExactlyInAnyOrder(0, 1);
    assertThat(batches()).hasSize(1);
    assertThat(stores.jobs().turns(definition("poll").id()).running()).isEqualTo(1);
    succeed(pulling, parts);
    faced.runBatches();
    assertThat(ends("poll")).containsExactly("SUCCEEDED");
  }

  // Two at once.

  private static final int ROUNDS = 10;

  @RepeatedTest(ROUNDS)
  void twoTrackersEndPartsOfOneRunAndOneOfThemEndsTheRun() {
    HandDrivenTracker one = new HandDrivenTracker(11, stores, new HandTime());
    HandDrivenTracker two = new HandDrivenTracker(12, stores, new HandTime());
    two.submit(job("close").shards(8).build());
    HandDrivenWorker first = two.worker("worker-1");
    List<Assignment> parts = first.takeAll(8);
    HandDrivenWorker elsewhere = first.movedTo(one);

    try (Racer racer = new Racer()) {
      List<Integer> ended =
          racer.together(
              List.<Callable<Integer>>of(
                  () -> endAll(first, two, parts.subList(0, 4)),
                  () -> endAll(elsewhere, one, parts.subList(4, 8))));
      assertThat(ended.stream().mapToInt(Integer::intValue).sum()).isLessThanOrEqualTo(1);
    }
    two.time().pass(BatchTask.PERIOD);
    two.runBatches();

    assertThat(ends("close")).containsExactly("SUCCEEDED");
    assertThat(batches()).isEmpty();
  }

  private static int endAll(
      HandDrivenWorker reporting, HandDrivenTracker to, List<Assignment> parts) {
    int ended = 0;
    for (Assignment part : parts) {
      reporting.succeed(part);
      BatchTask.Done done = to.runBatches();
      ended += done == null ? 0 : done.ended();
    }
    return ended;
  }

  @RepeatedTest(ROUNDS)
  void twoTrackersReleaseEachPartOnce() {
    tracker.submit(job("close").shards(600).build());
    succeed(worker, worker.takeAll(200));
    HandDrivenTracker one = new HandDrivenTracker(11, stores, new HandTime());
    HandDrivenTracker two = new HandDrivenTracker(12, stores, new HandTime());
    try (Racer racer = new Racer()) {
      List<Object> done =
          racer.together(List.<Callable<Object>>of(one::runBatches, two::runBatches));
      assertThat(done.stream().filter(Objects::nonNull).map(BatchTask.Done.class::cast))
          .allMatch(each -> each.ended() == 0 && each.stopped() == 0)
          .extracting(BatchTask.Done::released)
          .satisfies(all -> assertThat(all.stream().mapToInt(it -> it).sum()).isEqualTo(200));
    }

    assertThat(batches().get(0).counts().live()).isEqualTo(256);
    assertThat(stores.waiting().findByTask(GROUP, PartKey.taskIdOf(batches().get(0).id())))
        .hasSize(256);
  }

  @RepeatedTest(ROUNDS)
  void partsThatAreClaimedWhileTheirRunIsCancelledAreStopped() {
    HandDrivenTracker one = new HandDrivenTracker(11, stores, new HandTime());
    HandDrivenTracker two = new HandDrivenTracker(12, stores, new HandTime());
    two.submit(job("close").shards(100).build());
    HandDrivenWorker claiming = two.worker("worker-1");
    assertThat(claiming.take(1)).hasSize(1);
    List<Assignment> claimed;
    try (Racer racer = new Racer()) {
      claimed =
          racer
              .together(
                  List.<Callable<List<Assignment>>>of(
                      () -> claiming.take(50),
                      () -> {
                        one.cancel("close");
                        return List.of();
                      }))
              .get(0);
    }

    Batch batch = batches().get(0);
    String ofParts = PartKey.taskIdOf(batch.id());
    assertThat(stores.waiting().findByTask(GROUP, ofParts)).isEmpty();
    assertThat(executing(ofParts)).hasSize(1 + claimed.size()).allMatch(Execution::stopRequested);
    assertThat(batch.counts().live()).isEqualTo(1 + claimed.size());
    assertThat(claiming.take(50)).isEmpty();
  }
}
