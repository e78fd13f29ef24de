package io.millrace.jobtracker.kept;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeepStatus;
import io.millrace.internal.protocol.KeptKind;
import io.millrace.internal.protocol.KeptReply;
import io.millrace.internal.protocol.KeptRequest;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.FaultyTransactions.Fault;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.pipeline.BoundedReads;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.store.kept.KeptStore.Run;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a run keeps, over all that may happen to its worker, its tracker and its trigger. */
class KeepServiceTest extends ServiceTest {
  private HandDrivenWorker worker;
  private FaultyTransactions transactions;
  private KeepService service;

  @BeforeEach
  void open() {
    worker = tracker.worker("worker-1");
    transactions = new FaultyTransactions(stores.transactions());
    service = serviceOf();
  }

  /** What any tracker has: it knows nothing but the store. */
  private KeepService serviceOf() {
    return new KeepService(
        FaultyTransactions.around(stores, transactions),
        new StoreQuotas(stores.nodeGroups(), HandDrivenTracker.QUOTAS),
        time.timedExecutor());
  }

  private Assignment start(Job.Builder job) {
    tracker.submit(job.build());
    return worker.takeOne();
  }

  private static Job.Builder retried(String taskId) {
    return job(taskId).retry(RetryPolicy.retries(3));
  }

  private <T> T answer(CompletableFuture<T> answer) {
    time.run();
    return answer.join();
  }

  private KeepStatus step(HandDrivenWorker by, Assignment of, long seq, String name, String value) {
    return answer(
            service.keep(
                by.peer(), new KeepRequest(of.executionId(), seq, KeptKind.STEP, name, value)))
        .status();
  }

  private KeepStatus charge(Assignment of) {
    return step(worker, of, 1, "charge", "{\"id\":1}");
  }

  private KeptReply kept(HandDrivenWorker by, Assignment of) {
    return answer(service.kept(by.peer(), new KeptRequest(of.executionId())));
  }

  private KeptReply kept(Assignment of) {
    return kept(worker, of);
  }

  private void report(Assignment of, Outcome outcome) {
    ExecutionResult result = worker.result(of.executionId(), outcome, null).withKept();
    assertThat(worker.report(result)).isEqualTo(CompletionStatus.ACCEPTED);
  }

  private ExecutionResult withBadResult(Assignment of) {
    return new ExecutionResult(
        of.executionId(),
        Outcome.SUCCESS,
        null,
        null,
        List.of(),
        time.now(),
        time.now(),
        "no JSON",
        false);
  }

  private Assignment nextAttempt() {
    time.pass(Duration.ofMinutes(10));
    return worker.takeOne();
  }

  private static List<KeptReply.Value> charged() {
    return List.of(new KeptReply.Value(KeptKind.STEP, "charge", "{\"id\":1}"));
  }

  private long rows() {
    return stores.kept().runs(Run.FIRST, 100).stream()
        .mapToLong(run -> stores.kept().list(run.run()).size())
        .sum();
  }

  @Test
  void retryFindsWhatTheAttemptBeforeKept() {
    Assignment first = start(retried("close"));
    assertThat(kept(first).values()).isEmpty();
    assertThat(charge(first)).isEqualTo(KeepStatus.KEPT);
    report(first, Outcome.EXCEPTION);

    Assignment second = nextAttempt();

    assertThat(kept(second).values()).isEqualTo(charged());
    assertThat(kept(second).runKey()).isEqualTo("orders/close/" + jobId("close") + "/0/0");
    assertThat(step(worker, second, 1, "mail", "2"))
        .as("an attempt counts from 1")
        .isEqualTo(KeepStatus.KEPT);
  }

  private long jobId(String taskId) {
    return executing(taskId).get(0).jobId();
  }

  @Test
  void workerThatDiesBetweenBodyAndStoreLeavesNothingAndOneThatDiesAfterLeavesItsStep() {
    Assignment first = start(retried("close"));
    HandDrivenWorker other = tracker.worker("worker-2");
    tracker.recoverFor(HandDrivenTracker.WORKER_LEASE.plusSeconds(5));
    Assignment second = other.takeOne();
    assertThat(kept(other, second).values()).as("the body runs again").isEmpty();
    assertThat(step(other, second, 1, "charge", "{\"id\":1}")).isEqualTo(KeepStatus.KEPT);
    tracker.recoverFor(HandDrivenTracker.WORKER_LEASE.plusSeconds(5));

    HandDrivenWorker last = tracker.worker("worker-3");
    Assignment third = last.takeOne();

    assertThat(third.attempt()).isEqualTo(3);
    assertThat(kept(last, third).values()).isEqualTo(charged());
    assertThat(first.executionId()).isLessThan(third.executionId());
  }

  @Test
  void zombieIsRefusedFromTheRescueOn() {
    Assignment first = start(retried("close"));
    assertThat(step(worker, first, 1, "a", "1")).isEqualTo(KeepStatus.KEPT);
    tracker.recoverFor(HandDrivenTracker.WORKER_LEASE.plusSeconds(5));
    assertThat(ends("close")).containsExactly("RESCUED");

    assertThat(step(worker, first, 2, "b", "2")).as("nobody has it").isEqualTo(KeepStatus.LOST);
    HandDrivenWorker other = tracker.worker("worker-2");
    Assignment second = other.takeOne();
    assertThat(step(worker, first, 2, "b", "2")).as("another has it").isEqualTo(KeepStatus.LOST);
    assertThat(step(worker, second, 1, "b", "2")).as("not its own").isEqualTo(KeepStatus.LOST);
    assertThat(kept(worker, first).status()).isEqualTo(KeepStatus.LOST);
    assertThat(kept(other, second).values())
        .containsExactly(new KeptReply.Value(KeptKind.STEP, "a", "1"));
  }

  @Test
  void anyTrackerKeepsAndTellsAlsoAfterATakeOver() {
    Assignment first = start(retried("close"));
    charge(first);
    HandDrivenTracker other = anotherTracker();
    service = serviceOf();

    assertThat(step(worker, first, 2, "mail", "2")).isEqualTo(KeepStatus.KEPT);
    HandDrivenWorker moved = worker.movedTo(other);
    moved.report(moved.result(first.executionId(), Outcome.EXCEPTION, null).withKept());
    time.pass(Duration.ofMinutes(10));
    Assignment second = moved.takeOne();

    assertThat(kept(moved, second).values()).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource(names = {"COMMITTED_IN_SILENCE", "ROLLED_BACK_IN_SILENCE", "UNREACHABLE"})
  void commitThatIsLostIsMadeUpOrAskedForAgain(Fault fault) {
    Assignment first = start(retried("close"));
    transactions.failNext(fault);
    CompletableFuture<?> lost =
        service.keep(
            worker.peer(),
            new KeepRequest(first.executionId(), 1, KeptKind.STEP, "charge", "{\"id\":1}"));
    time.run();

    assertThat(lost.isDone()).isTrue();
    assertThat(charge(first)).as("asked again").isEqualTo(KeepStatus.KEPT);
    assertThat(kept(first).values()).isEqualTo(charged());
  }

  @Test
  void trackerThatDiesAtTheCommitIsAskedAgainUnderTheNumber() {
    Assignment first = start(retried("close"));
    for (Fault fault : List.of(Fault.COMMITTED_OUT_OF_REACH, Fault.ROLLED_BACK_OUT_OF_REACH)) {
      long seq = fault == Fault.COMMITTED_OUT_OF_REACH ? 1 : 2;
      transactions.failNext(fault);
      CompletableFuture<?> lost =
          service.keep(
              worker.peer(),
              new KeepRequest(first.executionId(), seq, KeptKind.STEP, "step " + seq, "1"));
      time.run();
      assertThat(lost).isCompletedExceptionally();
      transactions = new FaultyTransactions(stores.transactions());
      service = serviceOf();

      assertThat(step(worker, first, seq, "step " + seq, "1")).isEqualTo(KeepStatus.KEPT);
    }
    assertThat(kept(first).values()).hasSize(2);
  }

  @Test
  void endDeletesWhatWasKeptIfItsReportSaysSo() {
    Assignment one = start(retried("one"));
    charge(one);
    report(one, Outcome.SUCCESS);
    assertThat(rows()).isZero();

    Assignment bad = start(retried("bad"));
    charge(bad);
    assertThat(worker.report(withBadResult(bad).withKept())).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(ends("bad")).containsExactly("FAILED");
    assertThat(rows()).as("its result is no JSON").isZero();

    Assignment silent = start(retried("silent"));
    charge(silent);
    worker.succeed(silent);
    assertThat(rows()).as("left to the purge").isEqualTo(1);
  }

  @Test
  void replayOfADeadOneBeginsWithWhatItKeptAndHasItsKey() {
    Assignment first = start(job("close").retry(RetryPolicy.NONE));
    String key = kept(first).runKey();
    charge(first);
    report(first, Outcome.EXCEPTION);
    tracker.replay(dead("close").get(0).id());

    Assignment replay = worker.takeOne();
    assertThat(kept(replay).values()).isEqualTo(charged());
    assertThat(kept(replay).runKey()).isEqualTo(key);
    report(replay, Outcome.EXCEPTION);
    tracker.replay(dead("close").get(1).id());
    Assignment again = worker.takeOne();
    assertThat(kept(again).values()).isEqualTo(charged());
    assertThat(kept(again).runKey()).isEqualTo(key);
    report(again, Outcome.SUCCESS);

    assertThat(rows()).isZero();
  }

  @Test
  void replayThatKeptNothingHasTheKeyOfTheFirstRunToo() {
    Assignment first = start(job("poll").every(Duration.ofHours(1)).retry(RetryPolicy.NONE));
    String key = kept(first).runKey();
    worker.report(first, Outcome.EXCEPTION);
    tracker.replay(dead("poll").get(0).id());

    Assignment replay = worker.takeOne();

    assertThat(replay.ordinal()).isEqualTo(1);
    assertThat(kept(replay).runKey()).isEqualTo(key);
    assertThat(kept(replay).values()).isEmpty();
  }

  @Test
  void taskIdThatIsUsedAgainFindsNothingOfItsForerunner() {
    Assignment first = start(retried("close"));
    String key = kept(first).runKey();
    charge(first);
    worker.succeed(first);

    Assignment second = start(retried("close"));

    assertThat(kept(second).values()).isEmpty();
    assertThat(kept(second).runKey()).isNotEqualTo(key);
    assertThat(charge(second)).isEqualTo(KeepStatus.KEPT);
  }

  @Test
  void nextTriggerOfARecurringJobFindsNothing() {
    Assignment first = start(job("poll").every(Duration.ofMinutes(1)));
    charge(first);
    worker.succeed(first);
    time.pass(Duration.ofMinutes(1));

    assertThat(kept(worker.takeOne()).values()).isEmpty();
  }

  @Test
  void limitsAreTypedAnswersAndBadRequestsAreErrors() {
    Assignment first = start(retried("close"));

    assertThat(step(worker, first, 1, "a", "\"" + "x".repeat(70_000) + "\""))
        .isEqualTo(KeepStatus.TOO_LARGE);
    assertThat(step(worker, first, 2, "a", "1")).isEqualTo(KeepStatus.CONFLICT);
    assertThat(step(worker, first, 1, "a", "1")).isEqualTo(KeepStatus.KEPT);
    for (String name : new String[] {"", " a", "#checkpoint", "a\nb", null, "x".repeat(129)}) {
      assertBadRequest(first, 2, KeptKind.STEP, name);
    }
    assertBadRequest(first, 0, KeptKind.STEP, "b");
    assertBadRequest(first, 2, KeptKind.CHECKPOINT, "b");
    assertBadRequest(first, 2, KeptKind.UNKNOWN, "b");
  }

  @Test
  void questionAboveTheBoundIsPutOffAndMayBeAskedAgain() {
    Assignment first = start(retried("close"));
    charge(first);
    KeptRequest question = new KeptRequest(first.executionId());
    List<CompletableFuture<KeptReply>> answers =
        IntStream.range(0, BoundedReads.MAX_WAITING)
            .mapToObj(i -> service.kept(worker.peer(), question))
            .toList();

    CompletableFuture<KeptReply> above = service.kept(worker.peer(), question);

    assertThat(time.waiting()).isEqualTo(BoundedReads.MAX_AT_ONCE);
    assertPutOff(above, "too many questions in progress (limit 1000); try again");
    time.run();
    assertThat(answers).allMatch(answer -> answer.join().values().equals(charged()));
    assertThat(kept(first).values()).isEqualTo(charged());
  }

  @Test
  void whenTheStoreHasNoRoomNewRunsWaitBeforeTheirFirstStepAndOthersGoOn() {
    Assignment full = start(retried("full"));
    Assignment other = start(retried("other"));
    Assignment fresh = start(retried("fresh"));
    String large = "\"" + "x".repeat(65_000) + "\"";
    for (int i = 1; i <= 16; i++) {
      assertThat(step(worker, full, i, "step " + i, large)).isEqualTo(KeepStatus.KEPT);
    }
    assertThat(kept(fresh).values()).as("one more has room").isEmpty();
    assertThat(step(worker, other, 1, "charge", large)).isEqualTo(KeepStatus.KEPT);

    String why = "the values that runs keep have 1 MiB, which is the limit (kept.max-bytes)";
    assertPutOff(service.kept(worker.peer(), new KeptRequest(fresh.executionId())), why);
    assertPutOff(
        service.keep(
            worker.peer(), new KeepRequest(fresh.executionId(), 1, KeptKind.CHECKPOINT, null, "1")),
        why);
    assertThat(kept(other).values()).as("its steps are told").hasSize(1);
    assertThat(step(worker, other, 2, "mail", "1"))
        .as("its body has run")
        .isEqualTo(KeepStatus.KEPT);
  }

  private void assertPutOff(CompletableFuture<?> answer, String why) {
    time.run();
    assertThatThrownBy(answer::join)
        .cause()
        .hasMessage(why)
        .isInstanceOfSatisfying(
            RpcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
  }

  private void assertBadRequest(Assignment of, long seq, KeptKind kind, @Nullable String name) {
    assertThatThrownBy(
            () ->
                answer(
                    service.keep(
                        worker.peer(), new KeepRequest(of.executionId(), seq, kind, name, "1"))))
        .hasCauseInstanceOf(RpcException.class);
  }
}
