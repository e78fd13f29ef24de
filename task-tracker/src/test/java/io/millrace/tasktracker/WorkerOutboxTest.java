package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.execution;
import static io.millrace.tasktracker.HandDrivenWorker.executions;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.OutboxConfig;
import io.millrace.internal.outbox.Outbox;
import io.millrace.internal.protocol.CompleteReply;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.rpc.RpcException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results on the disk: when they get there, when they leave, and what a restart makes of them. */
class WorkerOutboxTest {
  private static final Duration LINGER = Duration.ofMillis(20);

  @TempDir Path directory;

  private final Queue<Runnable> disk = new ArrayDeque<>();
  private final List<HandDrivenWorker> workers = new ArrayList<>();

  @AfterEach
  void closeOutboxes() {
    workers.forEach(worker -> worker.outbox.close());
  }

  private OutboxConfig config(int maxEntries) {
    return new OutboxConfig(directory, maxEntries, 1 << 20, Duration.ofDays(1), false);
  }

  private HandDrivenWorker.Setup setup() {
    return HandDrivenWorker.with(context -> Result.failed(context.taskId()))
        .slots(8)
        .outbox(config(1_000));
  }

  private HandDrivenWorker connected() {
    return connected(setup());
  }

  private HandDrivenWorker connected(HandDrivenWorker.Setup setup) {
    HandDrivenWorker worker = setup.connect();
    workers.add(worker);
    return worker;
  }

  /** A worker whose tracker is gone when its invocations end. */
  private HandDrivenWorker withResultsNobodyTook(int count) {
    HandDrivenWorker worker = connected();
    worker.tracker.assign(executions(11, count));
    worker.tracker.disconnect();
    worker.runInvocations();
    return worker;
  }

  /** Its outbox is as it was at that moment; the process does nothing any more. */
  private static void kill(HandDrivenWorker worker) {
    worker.outbox.close();
  }

  private void runDisk() {
    while (!disk.isEmpty()) {
      disk.remove().run();
    }
  }

  private static List<Long> idsOf(List<ExecutionResult> results) {
    return results.stream().map(ExecutionResult::executionId).toList();
  }

  @Test
  void resultThatIsAnsweredAtOnceNeverComesToTheDisk() {
    HandDrivenWorker worker = connected(setup().disk(disk::add));
    worker.tracker.assign(executions(11, 8));
    worker.runInvocations();
    worker.advance(Duration.ofSeconds(1));

    assertThat(worker.results()).hasSize(8);
    assertThat(disk).isEmpty();
  }

  @Test
  void resultThatIsNotAnsweredSoonIsStoredUntilItIs() {
    HandDrivenWorker worker = connected();
    worker.tracker.answersCompletes = false;
    worker.tracker.assign(execution(11));
    worker.runInvocations();
    worker.advance(LINGER.minusMillis(1));
    assertThat(worker.outbox.size()).isZero();

    worker.advance(Duration.ofMillis(1));
    assertThat(worker.outbox.keys().values()).containsExactly("11");

    worker.tracker.acceptCompletes();
    assertThat(worker.outbox.size()).isZero();
  }

  @Test
  void onlyWhatHasLingeredIsStored() {
    HandDrivenWorker worker = connected();
    worker.tracker.answersCompletes = false;
    worker.tracker.assign(executions(11, 2));
    worker.runOneInvocation();
    worker.advance(LINGER.minusMillis(5));
    worker.runOneInvocation();

    worker.advance(Duration.ofMillis(5));
    assertThat(worker.outbox.keys().values()).containsExactly("11");

    worker.advance(LINGER.minusMillis(5));
    assertThat(worker.outbox.keys().values()).containsExactlyInAnyOrder("11", "12");
  }

  @Test
  void withoutATrackerEveryResultIsStoredAtOnce() {
    HandDrivenWorker worker = withResultsNobodyTook(3);

    assertThat(worker.outbox.keys().values()).containsExactlyInAnyOrder("11", "12", "13");
  }

  @Test
  void resultsThatLingerWhenTheConnectionIsLostAreStored() {
    HandDrivenWorker worker = connected();
    worker.tracker.answersCompletes = false;
    worker.tracker.assign(execution(11));
    worker.runInvocations();

    worker.tracker.disconnect();

    assertThat(worker.outbox.keys().values()).containsExactly("11");
  }

  @Test
  void loopDoesNotWaitForTheDisk() {
    HandDrivenWorker worker = connected(setup().disk(disk::add));
    worker.tracker.assign(executions(11, 5));
    worker.tracker.disconnect();
    worker.runInvocations();
    assertThat(worker.outbox.size()).isZero();

    runDisk();
    assertThat(worker.outbox.size()).isEqualTo(5);
  }

  @Test
  void resultThatIsAnsweredWhileItIsWrittenIsRemovedAgain() {
    HandDrivenWorker worker = connected(setup().disk(disk::add));
    worker.tracker.answersCompletes = false;
    worker.tracker.assign(execution(11));
    worker.runInvocations();
    worker.advance(LINGER);
    assertThat(disk).hasSize(1);

    worker.tracker.acceptCompletes();
    runDisk();

    assertThat(worker.outbox.size()).isZero();
  }

  @Test
  void killedWorkerReportsInOrderWhatItHadStored() {
    kill(withResultsNobodyTook(5));

    HandDrivenWorker again = connected();

    assertThat(idsOf(again.results())).containsExactly(11L, 12L, 13L, 14L, 15L);
    assertThat(again.results()).extracting(ExecutionResult::message).contains("task-11", "task-15");
    assertThat(again.outbox.size()).isZero();
    kill(again);
    assertThat(connected().results()).isEmpty();
  }

  @Test
  void restartedWorkerHoldsWhatItHasStoredFromItsFirstPullUntilItIsAnswered() {
    kill(withResultsNobodyTook(2));
    HandDrivenWorker again = setup().build();
    workers.add(again);
    again.tracker.answersCompletes = false;

    again.tracker.connect();

    assertThat(again.tracker.pulls.get(0).request().held()).containsExactly(11L, 12L);
    again.tracker.acceptCompletes();
    again.advance(Duration.ofSeconds(2));
    assertThat(again.tracker.lastPull().held()).isEmpty();
  }

  /** The tracker must not think that this process was sent what the dead one was. */
  @Test
  void restartedWorkerCountsItsPullsAsAnotherProcess() {
    HandDrivenWorker worker = connected();
    long number = worker.tracker.lastPull().number();
    kill(worker);

    long numberAgain = connected().tracker.lastPull().number();

    assertThat(PullRequest.processOf(number)).isPositive();
    assertThat(PullRequest.processOf(numberAgain)).isGreaterThan(PullRequest.processOf(number));
  }

  @Test
  void resultsOfBeforeTheRestartAreReportedBeforeNewOnes() {
    kill(withResultsNobodyTook(2));
    HandDrivenWorker again = setup().build();
    workers.add(again);
    again.tracker.answersCompletes = false;
    again.tracker.connect();
    again.tracker.assign(execution(20));
    again.runInvocations();

    again.tracker.acceptCompletes();

    assertThat(idsOf(again.results())).containsExactly(11L, 12L, 20L);
  }

  @Test
  void secondRestartFindsWhatTheFirstCouldNotReport() {
    kill(withResultsNobodyTook(2));
    HandDrivenWorker lonely = setup().build();
    workers.add(lonely);
    kill(lonely);

    assertThat(idsOf(connected().results())).containsExactly(11L, 12L);
  }

  @Test
  void refusedResultLeavesTheOutbox() {
    HandDrivenWorker worker = withResultsNobodyTook(1);
    worker.tracker.answersCompletes = false;
    worker.tracker.connect();

    int last = worker.tracker.completes.size() - 1;
    worker
        .tracker
        .completes
        .get(last)
        .answer()
        .complete(new CompleteReply(List.of(CompletionStatus.REFUSED)));

    assertThat(worker.outbox.size()).isZero();
    worker.advance(Duration.ofSeconds(2));
    assertThat(worker.tracker.lastPull().held()).isEmpty();
  }

  @Test
  void resultThatNoTrackerCanTakeLeavesTheOutbox() {
    HandDrivenWorker worker = withResultsNobodyTook(1);
    worker.tracker.answersCompletes = false;
    worker.tracker.connect();

    int last = worker.tracker.completes.size() - 1;
    worker
        .tracker
        .completes
        .get(last)
        .answer()
        .completeExceptionally(new RpcException(ErrorCode.BAD_REQUEST, "no result"));

    assertThat(worker.outbox.size()).isZero();
  }

  @Test
  void fullOutboxKeepsTheWorkerFromAskingForWorkAndLosesNothing() {
    HandDrivenWorker worker = connected(setup().outbox(config(2)));
    worker.tracker.answersCompletes = false;
    worker.tracker.assign(executions(11, 5));
    worker.tracker.disconnect();
    worker.runInvocations();
    assertThat(worker.outbox.size()).isEqualTo(2);

    worker.tracker.connect();
    worker.advance(Duration.ofSeconds(2));
    assertThat(worker.tracker.lastPull().slots()).isZero();
    assertThat(worker.tracker.lastPull().held()).hasSize(5);

    worker.tracker.acceptCompletes();
    worker.advance(Duration.ofSeconds(2));
    assertThat(idsOf(worker.results())).containsExactly(11L, 12L, 13L, 14L, 15L);
    assertThat(worker.outbox.size()).isZero();
    assertThat(worker.tracker.isAskedForWork()).isTrue();
  }

  @Test
  void roomThatAnAnswerMakesIsUsed() {
    HandDrivenWorker worker = connected(setup().outbox(config(2)));
    worker.tracker.answersCompletes = false;
    worker.tracker.assign(executions(11, 3));
    worker.runInvocations();
    worker.advance(LINGER);
    assertThat(worker.outbox.keys().values()).containsExactlyInAnyOrder("11", "12");

    worker.tracker.accept(
        worker.tracker.completes.get(0).request(), worker.tracker.completes.get(0).answer());
    worker.advance(Duration.ofSeconds(1));

    assertThat(worker.outbox.keys().values()).containsExactlyInAnyOrder("12", "13");
  }

  @Test
  void resultsAreReportedAlsoWhenTheDiskFails() {
    HandDrivenWorker worker = connected();
    worker.tracker.assign(executions(11, 3));
    worker.outbox.close();
    worker.tracker.disconnect();
    worker.runInvocations();
    worker.advance(Duration.ofSeconds(5));

    worker.tracker.connect();

    assertThat(worker.tracker.lastPull().slots()).isEqualTo(8);
    assertThat(idsOf(worker.results())).containsExactly(11L, 12L, 13L);
    worker.advance(Duration.ofSeconds(2));
    assertThat(worker.tracker.lastPull().held()).isEmpty();
  }

  @Test
  void resultsThatHaveWaitedTooLongAreGivenUp() {
    HandDrivenWorker worker = withResultsNobodyTook(3);
    worker.advance(Duration.ofHours(20));
    assertThat(worker.outbox.size()).isEqualTo(3);

    worker.advance(Duration.ofHours(5));
    assertThat(worker.outbox.size()).isZero();

    worker.tracker.connect();
    assertThat(worker.results()).isEmpty();
    assertThat(worker.tracker.lastPull().held()).isEmpty();
  }

  @Test
  void whatIsNoResultIsGivenUpWhenTheWorkerStarts() {
    HandDrivenWorker first = withResultsNobodyTook(1);
    first.outbox.add("12", new byte[] {'?'});
    kill(first);

    HandDrivenWorker again = connected();

    assertThat(idsOf(again.results())).containsExactly(11L);
    assertThat(again.outbox.size()).isZero();
  }

  @Test
  void stopLeavesInTheOutboxWhatReachedNoTracker() {
    HandDrivenWorker worker = connected();
    worker.tracker.answersCompletes = false;
    worker.tracker.assign(executions(11, 3));
    worker.runInvocations();

    CompletableFuture<Void> stopped = worker.node.stop();
    worker.advance(Duration.ofMinutes(1));

    assertThat(stopped).isCompleted();
    try (Outbox left = Outbox.open(config(1_000), worker.clock)) {
      assertThat(left.keys().values()).containsExactlyInAnyOrder("11", "12", "13");
    }
    assertThat(idsOf(connected().results())).containsExactly(11L, 12L, 13L);
  }

  @Test
  void stopWaitsForTheDisk() {
    HandDrivenWorker worker = connected(setup().disk(disk::add));
    worker.tracker.answersCompletes = false;
    worker.tracker.assign(executions(11, 2));
    worker.runInvocations();

    CompletableFuture<Void> stopped = worker.node.stop();
    worker.advance(Duration.ofSeconds(6));
    assertThat(stopped).isNotDone();
    runDisk();

    assertThat(stopped).isCompleted();
    assertThat(idsOf(connected().results())).containsExactly(11L, 12L);
  }
}
