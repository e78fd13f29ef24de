package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CancelResult;
import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.RelayEpoch;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CancelTest extends ServiceTest {
  private static final CancelResult NOTHING = new CancelResult(false, 0, 0);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  @Test
  void whatDoesNotLiveIsNotFound() {
    assertThat(tracker.cancel("unknown")).isEqualTo(NOTHING);
    assertThat(
            tracker
                .jobs()
                .canceller()
                .cancel(HandDrivenTracker.CLIENT, new CancelRequest("no-such-group", "close")))
        .satisfies(unused -> time.run())
        .isCompletedWithValue(NOTHING);
  }

  @Test
  void waitingOneShotIsCancelled() {
    tracker.submit(job("close").at(inMillis(5_000)).feedback(true).build());

    assertThat(tracker.cancel("close")).isEqualTo(new CancelResult(true, 1, 0));

    assertThat(waiting("close")).isEmpty();
    assertThat(ledger("close"))
        .singleElement()
        .satisfies(row -> assertThat(row.status()).isEqualTo(LedgerStatus.CANCELLED))
        .satisfies(row -> assertThat(row.cause()).isEqualTo(Cause.of(CauseCode.CANCELLED)));
    assertThat(stores.feedback().read("shop", Long.MIN_VALUE, 10))
        .singleElement()
        .satisfies(
            told -> assertThat(told.result().disposition()).isEqualTo(Disposition.CANCELLED));
    assertThat(tracker.signals().feedback()).isEqualTo(1);
  }

  @Test
  void cancellingTwiceIsHarmless() {
    tracker.submit(job("close").at(inMillis(5_000)).build());
    tracker.cancel("close");

    assertThat(tracker.cancel("close")).isEqualTo(NOTHING);
    assertThat(ledger("close")).hasSize(1);
  }

  @Test
  void cancelOfAVersionLeavesAnotherVersionAndAnotherJobAlone() {
    tracker.submit(job("report").every(Duration.ofHours(1)).build());
    long id = stores.jobs().find("orders", "report").orElseThrow().id();

    assertThat(cancel("report", id, 2)).isEqualTo(NOTHING);
    assertThat(cancel("report", id + 1, 1)).isEqualTo(NOTHING);
    assertThat(stores.jobs().find(id).orElseThrow().state()).isEqualTo(JobState.ACTIVE);
    assertThat(cancel("report", id, 1).found()).isTrue();
    assertThat(stores.jobs().find(id).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  void cancelOfAOneShotLeavesAnotherOneShotAloneThatWaitsOrRuns() {
    tracker.submit(job("close").build());
    long id = waiting("close").get(0).jobId();

    assertThat(cancel("close", id + 1, 0)).isEqualTo(NOTHING);
    assertThat(waiting("close")).hasSize(1);
    Assignment running = worker.takeOne();
    assertThat(cancel("close", id + 1, 0)).isEqualTo(NOTHING);
    assertThat(worker.beat().stopRequested()).isEmpty();
    assertThat(cancel("close", id, 0)).isEqualTo(new CancelResult(true, 0, 1));
    assertThat(worker.beat().stopRequested()).containsExactly(running.executionId());
  }

  private CancelResult cancel(String taskId, long jobId, int version) {
    CompletableFuture<CancelResult> answer =
        tracker
            .jobs()
            .canceller()
            .cancel(
                HandDrivenTracker.CLIENT,
                new CancelRequest(job(taskId).build().nodeGroup(), taskId, null, jobId, version));
    time.run();
    return answer.join();
  }

  @Test
  void cancelOfARelayThatArrivesAfterALaterOneIsRefused() {
    tracker.submit(job("close").at(inMillis(5_000)).build());
    assertThat(relayed("close", "shop/3", 7)).isCompletedWithValue(new CancelResult(true, 1, 0));
    tracker.submit(job("close").at(inMillis(5_000)).build());

    assertThat(relayed("close", "shop/3", 6))
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOfSatisfying(
            RpcException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUTDATED))
        .withMessageContaining("epoch 6");
    assertThat(waiting("close")).hasSize(1);
    assertThat(relayed("close", "shop/4", 1)).isCompletedWithValue(new CancelResult(true, 1, 0));
  }

  @Test
  void cancelOfARelayIsRememberedAlsoIfThereIsNothingToCancel() {
    tracker.submit(job("close").at(inMillis(5_000)).build());
    CancelRequest nowhere =
        new CancelRequest("no-such-group", "close", new RelayEpoch("shop/3", 7));
    assertThat(tracker.jobs().canceller().cancel(HandDrivenTracker.CLIENT, nowhere))
        .satisfies(unused -> time.run())
        .isCompletedWithValue(NOTHING);

    assertThat(relayed("close", "shop/3", 6)).isCompletedExceptionally();
    assertThat(waiting("close")).hasSize(1);
  }

  @Test
  void badNameOfARelayIsABadRequest() {
    assertThat(relayed("close", " ", 1)).isCompletedExceptionally();
    assertThat(relayed("close", "x".repeat(65), 1)).isCompletedExceptionally();
    assertThat(relayed("close", "a\u202eb", 1)).isCompletedExceptionally();
  }

  private CompletableFuture<CancelResult> relayed(String taskId, String relay, long epoch) {
    CompletableFuture<CancelResult> answer =
        tracker
            .jobs()
            .canceller()
            .cancel(
                HandDrivenTracker.CLIENT,
                new CancelRequest(
                    job(taskId).build().nodeGroup(), taskId, new RelayEpoch(relay, epoch)));
    time.run();
    return answer;
  }

  @Test
  void cancelledTriggerThatIsInTheDequeAlreadyIsNotHandedOut() {
    tracker.submit(job("close").build());
    tracker.load();

    tracker.cancel("close");

    assertThat(worker.receive(worker.pull(1))).isEmpty();
    assertThat(ends("close")).containsExactly("CANCELLED");
  }

  @Test
  void executingOneShotIsToldToStopAndItsSuccessStillCounts() {
    tracker.submit(job("close").build());
    Assignment running = worker.takeOne();

    assertThat(tracker.cancel("close")).isEqualTo(new CancelResult(true, 0, 1));
    assertThat(worker.beat().stopRequested()).containsExactly(running.executionId());
    assertThat(worker.succeed(running)).isEqualTo(CompletionStatus.ACCEPTED);

    assertThat(ends("close")).containsExactly("SUCCEEDED");
  }

  @Test
  void noAttemptFollowsOnceAnExecutionWasToldToStop() {
    for (Outcome outcome :
        new Outcome[] {
          Outcome.EXCEPTION, Outcome.LATER, Outcome.INTERRUPTED, Outcome.UNKNOWN_HANDLER
        }) {
      String taskId = "close-" + outcome;
      tracker.submit(job(taskId).build());
      Assignment running = worker.takeOne();
      tracker.cancel(taskId);

      worker.report(running, outcome);

      assertThat(ends(taskId)).containsExactly("CANCELLED");
      assertThat(waiting(taskId)).isEmpty();
    }
  }

  @Test
  void lostExecutionThatWasToldToStopIsNotRescued() {
    tracker.submit(job("close").build());
    worker.takeOne();
    tracker.cancel("close");

    tracker.recoverFor(Duration.ofSeconds(20));

    assertThat(ends("close")).containsExactly("CANCELLED");
    assertThat(waiting("close")).isEmpty();
  }

  @Test
  void waitingRetryIsCancelled() {
    tracker.submit(job("close").build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);

    assertThat(tracker.cancel("close")).isEqualTo(new CancelResult(true, 1, 0));
    assertThat(ends("close")).containsExactly("RETRIED", "CANCELLED");
  }

  @Test
  void recurringJobEndsWithAllItsTriggers() {
    tracker.submit(job("poll").every(Duration.ofMinutes(1)).build());
    Assignment running = worker.takeOne();
    time.pass(Duration.ofSeconds(61));

    assertThat(tracker.cancel("poll")).isEqualTo(new CancelResult(true, 10, 1));

    assertThat(definition("poll").state()).isEqualTo(JobState.CANCELLED);
    assertThat(definition("poll").generateAt()).isNull();
    assertThat(waiting("poll")).isEmpty();
    assertThat(ends("poll")).as("the one instant that had passed").containsExactly("CANCELLED");
    assertThat(worker.beat().stopRequested()).containsExactly(running.executionId());
    worker.succeed(running);
    assertThat(waiting("poll")).isEmpty();
  }

  @Test
  void cancelledJobIsNotGeneratedAnyMore() {
    tracker.submit(job("poll").every(Duration.ofMinutes(1)).build());
    tracker.cancel("poll");
    time.pass(Duration.ofMinutes(20));

    assertThat(tracker.generate().isNothing()).isTrue();
    assertThat(waiting("poll")).isEmpty();
  }

  @Test
  void chainOfACancelledJobIsNotContinued() {
    tracker.submit(job("chain").fixedDelay(Duration.ofSeconds(1)).build());
    Assignment running = worker.takeOne();
    tracker.cancel("chain");

    worker.succeed(running);

    assertThat(waiting("chain")).isEmpty();
    assertThat(definition("chain").state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  void taskIdIsFreeAgainAfterTheCancelUnlessAOneShotStillRuns() {
    tracker.submit(job("waiting").at(inMillis(5_000)).build());
    tracker.submit(job("running").build());
    worker.takeOne();
    tracker.cancel("waiting");
    tracker.cancel("running");

    assertThat(tracker.submit(job("waiting").build()).status()).isEqualTo(SubmitStatus.ACCEPTED);
    assertThat(tracker.submit(job("running").build()).status()).isEqualTo(SubmitStatus.DUPLICATE);
  }

  @Test
  void cancelGoesToTheOwnJobOnlyAndNotToOneOfTheSameNameInAnotherGroup() {
    tracker.submit(
        job("close").at(inMillis(5_000)).build(),
        Job.builder("billing", "close").at(inMillis(5_000)).build());

    tracker.cancel("close");

    assertThat(stores.waiting().findByTask("billing", "close")).hasSize(1);
  }
}
