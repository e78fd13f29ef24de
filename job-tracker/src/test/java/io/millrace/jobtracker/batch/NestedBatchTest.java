package io.millrace.jobtracker.batch;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.PartOutcome;
import io.millrace.internal.protocol.PartResult;
import io.millrace.internal.protocol.StageReply;
import io.millrace.internal.protocol.StageStatus;
import io.millrace.internal.protocol.StagedPart;
import io.millrace.jobtracker.domain.batch.Ancestry;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchBounds;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.BatchStop;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.group.batch.BatchTask;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Parts that are split themselves. */
class NestedBatchTest extends ServiceTest {
  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  private List<Batch> batches() {
    return stores.batches().findUnderWay(GROUP, 0, 100);
  }

  private Assignment run(Job job) {
    tracker.submit(job);
    return worker.takeOne();
  }

  private List<Assignment> takeParts() {
    tracker.runBatches();
    return worker.takeAll(300);
  }

  private void succeedAll(List<Assignment> parts) {
    worker.reportAll(
        parts.stream()
            .map(part -> worker.result(part.executionId(), Outcome.SUCCESS, null))
            .toArray(ExecutionResult[]::new));
  }

  private LedgerEntry end(long executionId) {
    return stores.ledger().find(List.of(executionId)).get(0);
  }

  @Test
  void endOfARunBelowIsTheEndOfItsPart() {
    Assignment root = run(job("index").build());
    worker.map(root, 2);
    List<Assignment> parts = takeParts();
    worker.map(parts.get(0), 3);
    worker.succeed(parts.get(1));

    assertThat(batches()).hasSize(2);
    Batch below = batches().get(1);
    assertThat(below.ancestry()).isEqualTo(new Ancestry(root.executionId(), root.executionId(), 2));
    assertThat(batches().get(0).partsBelow()).isEqualTo(3);
    assertThat(batches().get(0).counts().ended()).isEqualTo(new PartEnds(1, 0, 0, 0, 0));
    assertThat(worker.split(parts.get(0), 3)).isEqualTo(CompletionStatus.ACCEPTED);
    List<Assignment> leaves = takeParts();
    assertThat(leaves).hasSize(3).allSatisfy(leaf -> assertThat(leaf.taskId()).isEqualTo("index"));

    succeedAll(leaves);
    tracker.runBatches();

    assertThat(batches()).isEmpty();
    assertThat(ends("index")).containsExactly("SUCCEEDED");
    LedgerEntry part = end(parts.get(0).executionId());
    assertThat(part.status()).isEqualTo(LedgerStatus.SUCCEEDED);
    assertThat(part.key().taskId()).isEqualTo(PartKey.taskIdOf(root.executionId()));
    assertThat(worker.split(parts.get(0), 3)).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(stores.ledger().findByJob(root.executionId())).hasSize(2);
  }

  @Test
  void shardMaySplitAndAPartMayMakeNone() {
    tracker.submit(job("index").shards(1).build());
    Assignment shard = worker.takeOne();

    worker.map(shard, 0);
    tracker.runBatches();

    assertThat(ends("index")).containsExactly("SUCCEEDED");
    assertThat(end(shard.executionId()).status()).isEqualTo(LedgerStatus.SUCCEEDED);
  }

  @Test
  void failureBelowIsAFailureAbove() {
    worker.map(run(job("index").retry(RetryPolicy.NONE).build()), 2);
    List<Assignment> parts = takeParts();
    worker.succeed(parts.get(1));
    worker.map(parts.get(0), 2);
    List<Assignment> leaves = takeParts();

    worker.succeed(leaves.get(0));
    worker.report(leaves.get(1), Outcome.EXCEPTION);
    tracker.runBatches();

    assertThat(ends("index")).containsExactly("DEAD");
    assertThat(end(parts.get(0).executionId()).cause().code()).isEqualTo(CauseCode.PARTS_FAILED);
  }

  @Test
  void eachRunReducesItsOwnParts() {
    Assignment root = run(job("index").reduce("sum").build());
    worker.map(root, 2);
    List<Assignment> parts = takeParts();
    worker.succeed(parts.get(1), "100");
    worker.map(parts.get(0), 2);
    List<Assignment> leaves = takeParts();
    worker.succeed(leaves.get(0), "1");
    worker.succeed(leaves.get(1), "2");
    tracker.runBatches();
    Assignment below = worker.takeOne();
    assertThat(below.handler()).isEqualTo("sum");
    assertThat(below.params()).containsEntry("n", "1");
    assertThat(worker.parts(below, 0).parts())
        .extracting(PartResult::result)
        .containsExactly("1", "2");

    worker.succeed(below, "3");
    tracker.runBatches();
    Assignment top = worker.takeOne();

    assertThat(worker.parts(top, 0).parts())
        .containsExactly(
            new PartResult(1, PartOutcome.SUCCEEDED, "3", Map.of("n", "1")),
            new PartResult(2, PartOutcome.SUCCEEDED, "100", Map.of("n", "2")));
    worker.succeed(top, "103");
    tracker.runBatches();
    assertThat(stores.results().find(List.of(root.executionId())))
        .containsEntry(root.executionId(), "103");
  }

  @Test
  void depthIsBounded() {
    Assignment deepest = run(job("index").build());
    for (int depth = 1; depth <= BatchBounds.MAX_DEPTH; depth++) {
      worker.map(deepest, 1);
      deepest = takeParts().get(0);
    }

    StageReply reply = worker.stage(deepest, 1, List.of(new StagedPart(null, Map.of())));
    assertThat(reply.status()).isEqualTo(StageStatus.TOO_DEEP);
    assertThat(reply.message()).contains("depth of 8");

    worker.succeed(deepest);
    tracker.runBatches();
    assertThat(batches()).isEmpty();
    assertThat(ends("index")).containsExactly("SUCCEEDED");
  }

  @Test
  void partsOfAFailedAttemptDoNotCountAgainstTheNext() {
    int most = 600;
    Assignment root = run(job("index").build());
    worker.map(root, 1);
    Assignment part = takeParts().get(0);
    byHand(
        "UPDATE jt_batch SET parts_below = %d WHERE id = %d"
            .formatted(BatchBounds.MAX_PARTS - 1 - most, root.executionId()));
    worker.stage(part, most);
    worker.report(part, Outcome.EXCEPTION);
    time.pass(Duration.ofHours(1));

    Assignment again = worker.takeOne();
    worker.stage(again, most);

    StagedPart oneMore = new StagedPart(null, Map.of());
    assertThat(worker.stage(again, most + 1, List.of(oneMore)).status())
        .isEqualTo(StageStatus.TOO_MANY);
  }

  @Test
  void attemptThatSplitsAtTheLastDepthIntoNothingHasFailed() {
    Assignment deepest = run(job("index").retry(RetryPolicy.NONE).build());
    for (int depth = 1; depth <= BatchBounds.MAX_DEPTH; depth++) {
      worker.map(deepest, 1);
      deepest = takeParts().get(0);
    }

    worker.split(deepest, 0);

    assertThat(end(deepest.executionId()).status()).isEqualTo(LedgerStatus.DEAD);
    assertThat(end(deepest.executionId()).message()).contains("depth 8");
  }

  @Test
  void runsBelowShareTheWindowOfTheTop() {
    worker.map(run(job("index").build()), 10);
    List<Assignment> parts = takeParts();
    parts.forEach(part -> worker.map(part, 400));
    tracker.runBatches();

    long waiting =
        batches().stream().mapToLong(batch -> waiting(PartKey.taskIdOf(batch.id())).size()).sum();
    assertThat(waiting).isBetween(700L, 1_000L);
    time.pass(Duration.ofMinutes(10));
    worker.beat();
    assertThat(tracker.reconcile().isNothing()).as("those without room are not idle").isTrue();
    time.pass(Duration.ofMinutes(10));
    worker.beat();
    assertThat(tracker.reconcile().isNothing()).isTrue();
    int done = 0;
    while (!batches().isEmpty()) {
      List<Assignment> some = takeParts();
      assertThat(some).as("after %s", done).isNotEmpty();
      succeedAll(some);
      done += some.size();
      tracker.runBatches();
    }
    assertThat(done).isEqualTo(4_000);
    assertThat(ends("index")).containsExactly("SUCCEEDED");
  }

  @Test
  void reconcilerKnowsPartsThatWereSplitAndReduces() {
    worker.map(run(job("index").reduce("sum").build()), 2);
    List<Assignment> parts = takeParts();
    worker.map(parts.get(0), 2);
    takeParts().forEach(worker::succeed);
    tracker.runBatches();
    assertThat(tracker.reconcile().isNothing()).isTrue();
    assertThat(worker.take(10)).extracting(Assignment::reduces).containsExactly(true);
    byHand("DELETE FROM jt_executing WHERE task_id LIKE '#%' AND ordinal = 3");

    assertThat(tracker.reconcile().isNothing()).isFalse();

    List<Assignment> again = worker.take(10);
    assertThat(again).extracting(Assignment::reduces).containsExactly(true);
    assertThat(worker.parts(again.get(0), 0).parts()).hasSize(2);
  }

  // Stops.

  /** A run with a part that runs, and one that was split: of this, a part runs and others wait. */
  private List<Assignment> nested(Job job) {
    worker.map(run(job), 2);
    List<Assignment> parts = takeParts();
    worker.map(parts.get(0), 5);
    tracker.runBatches();
    return List.of(parts.get(0), parts.get(1), worker.takeOne());
  }

  @Test
  void cancelReachesTheRunsBelow() {
    List<Assignment> executions = nested(job("index").build());

    assertThat(tracker.cancel("index").found()).isTrue();

    assertThat(batches()).extracting(Batch::state).containsOnly(BatchState.STOPPING);
    assertThat(worker.take(10)).isEmpty();
    assertThat(executing(PartKey.taskIdOf(executions.get(0).executionId())))
        .allSatisfy(leaf -> assertThat(leaf.stopRequested()).isTrue());
    worker.report(executions.get(2), Outcome.INTERRUPTED);
    tracker.runBatches();
    assertThat(end(executions.get(0).executionId()).status()).isEqualTo(LedgerStatus.CANCELLED);
    assertThat(ends("index")).as("a part still runs").isEmpty();
    worker.report(executions.get(1), Outcome.EXCEPTION);
    tracker.runBatches();
    assertThat(ends("index")).containsExactly("CANCELLED");
    assertThat(batches()).isEmpty();
  }

  /** Interrupts the parts that run; their runs and the whole end as terminated. */
  private void assertEndsTerminated(List<Assignment> executions) {
    worker.report(executions.get(2), Outcome.INTERRUPTED);
    worker.report(executions.get(1), Outcome.INTERRUPTED);
    tracker.runBatches();
    assertThat(end(executions.get(0).executionId()).cause().code())
        .isEqualTo(CauseCode.TERMINATED_BY);
    assertThat(ledger("index").get(0).cause().code()).isEqualTo(CauseCode.TERMINATED_BY);
  }

  @Test
  void terminationNamesWhoTerminatedAlsoBelow() {
    List<Assignment> executions = nested(job("index").build());

    tracker.terminate("index", null);

    assertEndsTerminated(executions);
  }

  @Test
  void terminationOfARunThatStopsReachesTheRunsBelow() {
    List<Assignment> executions = nested(job("index").build());
    tracker.cancel("index");
    assertThat(worker.beat().interrupt()).isEmpty();

    tracker.terminate("index", null);

    assertThat(worker.beat().interrupt())
        .containsExactlyInAnyOrder(
            executions.get(1).executionId(), executions.get(2).executionId());
    assertThat(batches())
        .hasSize(2)
        .extracting(batch -> batch.run().terminatedBy())
        .containsOnly("shop/client-1");
    assertEndsTerminated(executions);
  }

  /** The tracker fell between the transaction of the termination and those that interrupt. */
  @Test
  void terminationThatAFaultCutOffIsFinishedByTheOwner() {
    List<Assignment> executions = nested(job("index").build());
    tracker.cancel("index");
    time.pass(BatchTask.PERIOD);
    tracker.runBatches();
    long root = batches().get(0).id();
    stores.transactions().run("stop", () -> stores.batches().terminate(List.of(root), "ann"));
    tracker.runBatches();
    assertThat(worker.beat().interrupt()).isEmpty();

    time.pass(BatchTask.PERIOD);
    tracker.runBatches();

    assertThat(worker.beat().interrupt())
        .containsExactlyInAnyOrder(
            executions.get(1).executionId(), executions.get(2).executionId());
  }

  @Test
  void stopThatAFaultCutOffIsFinishedByTheOwner() {
    List<Assignment> executions = nested(job("index").build());
    long root = batches().get(0).id();
    stores
        .transactions()
        .run("stop", () -> stores.batches().stop(List.of(root), BatchStop.CANCELLED, ""));
    assertThat(batches()).extracting(Batch::state).contains(BatchState.OPEN);

    time.pass(BatchTask.PERIOD);
    tracker.runBatches();

    assertThat(batches()).extracting(Batch::state).containsOnly(BatchState.STOPPING);
    worker.report(executions.get(2), Outcome.INTERRUPTED);
    worker.succeed(executions.get(1));
    tracker.runBatches();
    assertThat(ends("index")).containsExactly("CANCELLED");
  }

  @Test
  void partOfAStoppedRunIsNotSplitAnyMore() {
    worker.map(run(job("index").build()), 2);
    List<Assignment> parts = takeParts();
    worker.stage(parts.get(0), 3);
    tracker.cancel("index");

    worker.split(parts.get(0), 3);
    worker.split(parts.get(1), 0);
    tracker.runBatches();

    assertThat(batches()).isEmpty();
    assertThat(ends("index")).containsExactly("CANCELLED");
    assertThat(end(parts.get(0).executionId()).status()).isEqualTo(LedgerStatus.CANCELLED);
  }

  @Test
  void firstFailureBelowStopsWhatIsBesideAndAbove() {
    List<Assignment> executions =
        nested(job("index").onPartFailure(PartFailurePolicy.STOP).retry(RetryPolicy.NONE).build());

    worker.report(executions.get(2), Outcome.FAILED);
    tracker.runBatches();
    tracker.runBatches();

    assertThat(end(executions.get(0).executionId()).status()).isEqualTo(LedgerStatus.FAILED);
    assertThat(batches()).extracting(Batch::state).containsExactly(BatchState.STOPPING);
    worker.succeed(executions.get(1));
    tracker.runBatches();
    assertThat(ends("index")).containsExactly("FAILED");
  }

  @Test
  void deadlineOfTheTopReachesTheRunsBelow() {
    List<Assignment> executions = nested(job("index").within(Duration.ofMinutes(1)).build());
    assertThat(batches().get(1).deadline()).isNull();

    time.pass(Duration.ofMinutes(1));
    tracker.runBatches();

    assertThat(batches()).extracting(Batch::state).containsOnly(BatchState.STOPPING);
    worker.report(executions.get(2), Outcome.INTERRUPTED);
    worker.report(executions.get(1), Outcome.INTERRUPTED);
    tracker.runBatches();
    assertThat(ledger("index").get(0).cause().code()).isEqualTo(CauseCode.NOT_ENDED_IN_TIME);
    assertThat(end(executions.get(0).executionId()).cause().code())
        .isEqualTo(CauseCode.BATCH_STOPPED);
  }
}
