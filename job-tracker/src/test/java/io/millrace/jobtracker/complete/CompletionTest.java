package io.millrace.jobtracker.complete;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Disposition;
import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CompletionTest extends ServiceTest {
  private static final RetryPolicy TWICE =
      new RetryPolicy(2, Duration.ofSeconds(10), Duration.ofMinutes(1), 2, 0, List.of());

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  @Test
  void successEndsTheTriggerForGood() {
    tracker.submit(job("close").feedback(true).build());
    Assignment assignment = worker.takeOne();
    time.pass(Duration.ofMillis(300));

    assertThat(worker.succeed(assignment)).isEqualTo(CompletionStatus.ACCEPTED);

    assertThat(executing("close")).isEmpty();
    assertThat(waiting("close")).isEmpty();
    LedgerEntry row = onlyEnd("close");
    assertThat(row.id()).isEqualTo(assignment.executionId());
    assertThat(row.status()).isEqualTo(LedgerStatus.SUCCEEDED);
    assertThat(row.reported()).isTrue();
    assertThat(row.workerId()).isEqualTo("worker-1");
    assertThat(row.message()).isEqualTo("SUCCESS of worker-1");
    assertThat(row.times().finishedAt() - row.times().claimedAt()).isEqualTo(300);
    assertThat(stores.feedback().read("shop", Long.MIN_VALUE, 10))
        .singleElement()
        .satisfies(
            told -> assertThat(told.result().disposition()).isEqualTo(Disposition.SUCCEEDED));
  }

  @Test
  void sendingAResultAgainIsAcceptedAndChangesNothing() {
    tracker.submit(job("close").build());
    Assignment assignment = worker.takeOne();
    worker.succeed(assignment);

    assertThat(worker.succeed(assignment)).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(worker.report(assignment, Outcome.EXCEPTION)).isEqualTo(CompletionStatus.ACCEPTED);

    assertThat(ends("close")).containsExactly("SUCCEEDED");
    assertThat(waiting("close")).isEmpty();
  }

  @Test
  void sameResultTwiceInOneRequestCountsOnce() {
    tracker.submit(job("close").build());
    ExecutionResult result = worker.result(worker.takeOne().executionId(), Outcome.SUCCESS, null);

    assertThat(worker.reportAll(result, result))
        .containsExactly(CompletionStatus.ACCEPTED, CompletionStatus.ACCEPTED);
    assertThat(ends("close")).hasSize(1);
  }

  @Test
  void anotherTrackerTakesTheResultInAsWell() {
    tracker.submit(job("close").build());
    Assignment assignment = worker.takeOne();
    HandDrivenWorker moved = worker.movedTo(anotherTracker());

    assertThat(moved.succeed(assignment)).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(worker.succeed(assignment))
        .as("again, by the first")
        .isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(ends("close")).containsExactly("SUCCEEDED");
  }

  @Test
  void wordOfAnotherWorkerIsRefused() {
    tracker.submit(job("close").build());
    Assignment assignment = worker.takeOne();
    HandDrivenWorker stranger = tracker.worker("worker-2");

    assertThat(stranger.succeed(assignment)).isEqualTo(CompletionStatus.REFUSED);
    assertThat(executing("close")).hasSize(1);
    worker.succeed(assignment);
    assertThat(stranger.succeed(assignment)).isEqualTo(CompletionStatus.REFUSED);
    assertThat(ends("close")).hasSize(1);
  }

  @Test
  void wordOfAWorkerOfAnotherNodeGroupIsRefused() {
    tracker.submit(job("close").build());
    Assignment assignment = worker.takeOne();
    Peer sameNameElsewhere = new Peer(NodeRole.WORKER, "worker-1", "billing", "local");

    CompletableFuture<?> reply =
        tracker
            .completionDesk()
            .complete(
                sameNameElsewhere,
                new CompleteRequest(
                    List.of(worker.result(assignment.executionId(), Outcome.SUCCESS, null))));
    time.run();

    assertThat(reply.join()).hasToString("CompleteReply[answers=[REFUSED]]");
    assertThat(executing("close")).hasSize(1);
  }

  @Test
  void resultOfAnExecutionThatNeverWasIsRefused() {
    assertThat(worker.report(worker.result(4_711, Outcome.SUCCESS, null)))
        .isEqualTo(CompletionStatus.REFUSED);
  }

  /** LTS knew a job only, not which run of it: the late result of the first ended the second. */
  @Test
  void lateResultOfARescuedExecutionIsRefusedAndLeavesItsSuccessorAlone() {
    tracker.submit(job("close").build());
    Assignment first = worker.takeOne();
    tracker.recoverFor(Duration.ofSeconds(20));
    HandDrivenWorker second = tracker.worker("worker-2");
    Assignment again = second.takeOne();

    assertThat(again.executionId()).isGreaterThan(first.executionId());
    assertThat(worker.succeed(first)).isEqualTo(CompletionStatus.REFUSED);
    assertThat(executing("close")).singleElement().matches(e -> e.id() == again.executionId());
    assertThat(second.succeed(again)).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(ends("close")).containsExactly("RESCUED", "SUCCEEDED");
  }

  @Test
  void attemptsFollowExceptionsUntilTheyAreUsedUp() {
    tracker.submit(job("close").retry(TWICE).feedback(true).build());
    Assignment first = worker.takeOne();
    worker.report(first, Outcome.EXCEPTION);
    assertThat(worker.take(1)).as("not before its delay").isEmpty();
    time.pass(Duration.ofSeconds(10));
    Assignment second = worker.takeOne();
    worker.report(second, Outcome.EXCEPTION);
    time.pass(Duration.ofSeconds(20));
    Assignment third = worker.takeOne();
    worker.report(third, Outcome.EXCEPTION);

    assertThat(List.of(first, second, third))
        .extracting(Assignment::attempt)
        .containsExactly(1, 2, 3);
    assertThat(first.plannedFor()).isEqualTo(second.plannedFor()).isEqualTo(third.plannedFor());
    assertThat(ends("close")).containsExactly("RETRIED", "RETRIED", "DEAD");
    assertThat(ledger("close").get(2).cause()).isEqualTo(Cause.of(CauseCode.ATTEMPTS_USED_UP));
    assertThat(stores.feedback().read("shop", Long.MIN_VALUE, 10))
        .as("told once, at the end")
        .singleElement()
        .satisfies(told -> assertThat(told.result().attempt()).isEqualTo(3));
  }

  @Test
  void failedIsFinalWhateverAttemptsAreLeft() {
    tracker.submit(job("close").retry(TWICE).build());
    worker.report(worker.takeOne(), Outcome.FAILED);

    assertThat(ends("close")).containsExactly("FAILED");
    assertThat(waiting("close")).isEmpty();
  }

  @Test
  void laterComesBackAfterItsDelayWithTheSameAttempt() {
    tracker.submit(job("close").retry(RetryPolicy.NONE).build());
    for (int i = 0; i < 3; i++) {
      Assignment assignment = worker.takeOne();
      assertThat(assignment.attempt()).isEqualTo(1);
      worker.later(assignment, Duration.ofSeconds(30));
      assertThat(worker.take(1)).isEmpty();
      time.pass(Duration.ofSeconds(30));
    }

    assertThat(ends("close")).containsOnly("POSTPONED").hasSize(3);
  }

  @Test
  void whatAShutdownInterruptedComesBackAtOnceWithTheSameAttempt() {
    tracker.submit(job("close").build());
    for (Outcome outcome : List.of(Outcome.INTERRUPTED, Outcome.NOT_STARTED)) {
      worker.report(worker.takeOne(), outcome);
    }

    assertThat(worker.takeOne().attempt()).isEqualTo(1);
    assertThat(ends("close")).containsExactly("RETURNED", "RETURNED");
  }

  @Test
  void workerWithoutTheHandlerDoesNotGetTheJobBackAtOnce() {
    tracker.submit(job("close").handler("closer").build());
    worker.report(worker.takeOne(), Outcome.UNKNOWN_HANDLER);

    assertThat(worker.take(1)).isEmpty();
    time.pass(Duration.ofSeconds(5));
    assertThat(worker.takeOne().attempt()).isEqualTo(1);
    assertThat(ledger("close").get(0).cause()).isEqualTo(Cause.of(CauseCode.HANDLER_UNKNOWN));
  }

  @Test
  void parametersSurviveEveryWayBackToWaiting() {
    String large = "ü".repeat(100_000);
    tracker.submit(job("close").param("large", large).build());
    for (Outcome outcome : List.of(Outcome.INTERRUPTED, Outcome.EXCEPTION, Outcome.LATER)) {
      Assignment assignment = worker.takeOne();
      assertThat(assignment.params()).containsEntry("large", large).containsEntry("of", "close");
      worker.report(assignment, outcome);
      time.pass(Duration.ofSeconds(2));
    }
    assertThat(worker.takeOne().params()).containsEntry("large", large);
  }

  @Test
  void idsRiseAlongTheAttemptsOfATrigger() {
    tracker.submit(job("close").build());
    long last = 0;
    for (int i = 0; i < 5; i++) {
      Assignment assignment = worker.takeOne();
      assertThat(assignment.executionId()).isGreaterThan(last);
      last = assignment.executionId();
      time.setClock(time.now().minusSeconds(60));
      worker.report(assignment, Outcome.INTERRUPTED);
      time.setClock(time.now().plusSeconds(61));
    }
  }

  @Test
  void retryOfAnEditedJobDoesNotComeBack() {
    tracker.submit(job("poll").every(Duration.ofMinutes(1)).build());
    Assignment running = worker.takeOne();
    time.pass(Duration.ofMillis(1));
    tracker.submit(job("poll").every(Duration.ofMinutes(2)).replaceExisting(true).build());

    assertThat(worker.report(running, Outcome.EXCEPTION)).isEqualTo(CompletionStatus.ACCEPTED);

    assertThat(ends("poll")).containsExactly("CANCELLED");
    assertThat(onlyEnd("poll").cause()).isEqualTo(Cause.of(CauseCode.EDITED_WHILE_EXECUTING));
    assertThat(waiting("poll")).allMatch(row -> row.jobVersion() == 2);
  }

  /** LTS put the retry of a suspended job back into its queue. */
  @Test
  void retryOfAPausedJobDoesNotComeBack() {
    tracker.submit(job("poll").every(Duration.ofMinutes(1)).build());
    Assignment running = worker.takeOne();
    tracker.pause("poll");

    worker.report(running, Outcome.EXCEPTION);

    assertThat(ends("poll")).containsExactly("SKIPPED");
    assertThat(waiting("poll")).noneMatch(row -> row.attempt() > 1);
  }

  @Test
  void retryOfALivingJobComesBackUnderItsVersion() {
    tracker.submit(job("poll").every(Duration.ofMinutes(1)).times(1).param("a", "b").build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    time.pass(Duration.ofSeconds(2));

    Assignment again = worker.takeOne();

    assertThat(again.attempt()).isEqualTo(2);
    assertThat(again.params()).containsEntry("a", "b");
  }

  @Test
  void mixedBatchIsAnsweredOneByOne() {
    tracker.submit(job("a").build(), job("b").build(), job("c").build());
    List<Assignment> taken = worker.take(3);
    ExecutionResult[] results = {
      worker.result(taken.get(0).executionId(), Outcome.SUCCESS, null),
      worker.result(4_711, Outcome.SUCCESS, null),
      worker.result(taken.get(1).executionId(), Outcome.EXCEPTION, null),
      worker.result(taken.get(2).executionId(), Outcome.FAILED, null)
    };

    assertThat(worker.reportAll(results))
        .containsExactly(
            CompletionStatus.ACCEPTED,
            CompletionStatus.REFUSED,
            CompletionStatus.ACCEPTED,
            CompletionStatus.ACCEPTED);
  }

  @Test
  void hintSaysWhenTheNextAttemptFallsDue() {
    tracker.submit(job("close").retry(TWICE).build());
    Assignment assignment = worker.takeOne();
    tracker.signals().triggersDue().clear();

    worker.report(assignment, Outcome.EXCEPTION);

    assertThat(tracker.signals().triggersDue()).containsExactly(time.millis() + 10_000);
  }

  @Test
  void resultThatCannotBeStoredKeepsNoOtherFromBeingAcknowledged() {
    tracker.submit(job("a").build(), job("bad").build(), job("c").build(), job("d").build());
    Map<String, Assignment> taken =
        worker.take(4).stream().collect(Collectors.toMap(Assignment::taskId, a -> a));
    long bad = taken.get("bad").executionId();
    worker.succeed(taken.get("d"));
    byHand("UPDATE jt_history SET id = " + bad);

    assertThat(
            worker.reportAll(
                success(taken.get("a")), success(taken.get("bad")), success(taken.get("c"))))
        .containsExactly(
            CompletionStatus.ACCEPTED, CompletionStatus.TRY_AGAIN, CompletionStatus.ACCEPTED);
    byHand("DELETE FROM jt_history WHERE id = " + bad);
    assertThat(worker.succeed(taken.get("bad")))
        .as("kept back for a while")
        .isEqualTo(CompletionStatus.TRY_AGAIN);

    time.pass(Duration.ofSeconds(1));
    assertThat(worker.succeed(taken.get("bad"))).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(ends("bad")).containsExactly("SUCCEEDED");
  }

  private ExecutionResult success(Assignment assignment) {
    return worker.result(assignment.executionId(), Outcome.SUCCESS, null);
  }

  /** LTS inserted the retry and then deleted the execution: a crash between had both. */
  @Test
  void executionEndsWhollyOrNotAtAllAndTheResultIsSentAgain() {
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
    HandDrivenWorker its = shaky.worker("worker-1");
    for (FaultyTransactions.Fault fault : FaultyTransactions.Fault.values()) {
      String taskId = "close-" + fault;
      shaky.submit(job(taskId).retry(TWICE).build());
      Assignment assignment = its.takeOne();
      ExecutionResult result = its.result(assignment.executionId(), Outcome.EXCEPTION, null);
      transactions.failNext(fault);
      try {
        its.report(result);
      } catch (java.util.concurrent.CompletionException notNow) {
        assertThat(notNow.getCause()).hasMessageContaining("end executions of orders");
      }

      assertThat(its.report(result)).isEqualTo(CompletionStatus.ACCEPTED);

      assertThat(ends(taskId)).containsExactly("RETRIED");
      assertThat(executing(taskId)).isEmpty();
      assertThat(waiting(taskId)).hasSize(1);
    }
  }

  @Test
  void messageThatIsTooLongIsCutAndNotRefused() {
    tracker.submit(job("close").feedback(true).build());
    Assignment assignment = worker.takeOne();
    ExecutionResult result =
        new ExecutionResult(
            assignment.executionId(),
            Outcome.FAILED,
            "\uD83D\uDE00".repeat(50_000),
            null,
            List.of(),
            Instant.MAX,
            Instant.MAX);

    assertThat(worker.report(result)).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(onlyEnd("close").message()).hasSize(ExecutionResult.MAX_MESSAGE_CHARS);
    assertThat(stores.feedback().read("shop", Long.MIN_VALUE, 10)).hasSize(1);
  }

  @Test
  void requestOfTooManyResultsIsABadRequest() {
    ExecutionResult one = worker.result(1, Outcome.SUCCESS, null);
    CompletableFuture<?> reply =
        tracker
            .completionDesk()
            .complete(
                worker.peer(),
                new CompleteRequest(Collections.nCopies(CompleteRequest.MAX_RESULTS + 1, one)));

    assertThatThrownBy(reply::join)
        .cause()
        .isInstanceOf(RpcException.class)
        .extracting(failure -> ((RpcException) failure).code())
        .isEqualTo(ErrorCode.BAD_REQUEST);
  }

  private LedgerEntry onlyEnd(String taskId) {
    assertThat(ledger(taskId)).hasSize(1);
    return ledger(taskId).get(0);
  }
}
