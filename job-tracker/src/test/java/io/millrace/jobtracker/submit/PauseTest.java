package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.ChangeResult;
import io.millrace.api.ChangeStatus;
import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.PauseRequest;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.Pause;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.JobStore.LockedJob;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PauseTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  @Test
  void pausedJobKeepsWhoWhenAndWhyAndHasNoTriggers() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).build());
    JobDefinition before = definition("poll");

    assertThat(tracker.pause("poll", "the partner is down"))
        .isEqualTo(new ChangeResult(ChangeStatus.CHANGED, 0, "paused"));

    JobDefinition after = definition("poll");
    assertThat(after.state()).isEqualTo(JobState.PAUSED);
    assertThat(after.pause())
        .isEqualTo(new Pause("shop/client-1", time.millis(), "the partner is down"));
    assertThat(after.version()).isEqualTo(before.version() + 1);
    assertThat(after.generatedUntil()).isEqualTo(time.millis());
    assertThat(after.generateAt()).isNull();
    assertThat(waiting("poll")).isEmpty();
    assertThat(ledger("poll")).as("instants yet to come leave no trace").isEmpty();
  }

  @Test
  void instantsUpToThePauseAreSkippedAndLaterOnesLeaveNoTrace() {
    tracker.submit(job("poll").every(MINUTE).build());
    long start = time.millis();
    time.pass(MINUTE.multipliedBy(2));

    tracker.pause("poll");

    assertThat(ledger("poll"))
        .allMatch(row -> row.status() == LedgerStatus.SKIPPED && row.attempt() == 0)
        .allMatch(row -> row.cause().equals(Cause.of(CauseCode.PAUSED)))
        .extracting(LedgerEntry::plannedFor)
        .as("the last one in the very millisecond of the pause")
        .containsExactly(start, start + 60_000, start + 120_000);
    assertThat(waiting("poll")).isEmpty();
  }

  @Test
  void instantsThatNobodyHadComeToGenerateAreOneSkippedRow() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).build());
    long start = time.millis();
    time.pass(MINUTE.multipliedBy(60));

    tracker.pause("poll");

    List<LedgerEntry> rows = ledger("poll");
    assertThat(rows).hasSize(11).allMatch(row -> row.cause().equals(Cause.of(CauseCode.PAUSED)));
    LedgerEntry run = rows.get(10);
    assertThat(run.plannedFor()).isEqualTo(start + 11 * 60_000);
    assertThat(run.plannedTo()).isEqualTo(start + 60 * 60_000);
    assertThat(run.instants()).isEqualTo(50);
  }

  @Test
  void triggerThatIsInTheDequeAlreadyIsNotHandedOut() {
    tracker.submit(job("poll").every(MINUTE).build());
    tracker.load();

    tracker.pause("poll");

    assertThat(worker.receive(worker.pull(1))).isEmpty();
    assertThat(ends("poll")).containsExactly("SKIPPED");
  }

  @Test
  void nothingIsGeneratedWhilePaused() {
    tracker.submit(job("poll").every(MINUTE).build());
    worker.succeed(worker.takeOne());
    tracker.pause("poll");
    time.pass(MINUTE.multipliedBy(30));

    assertThat(tracker.generate().isNothing()).isTrue();
    assertThat(waiting("poll")).isEmpty();
    assertThat(ends("poll")).containsExactly("SUCCEEDED");
  }

  @Test
  void executingTriggersGoOnAndMaySucceed() {
    tracker.submit(job("poll").every(MINUTE).overlap(OverlapPolicy.allow()).build());
    Assignment first = worker.takeOne();
    time.pass(MINUTE);
    Assignment second = worker.takeOne();

    ChangeResult answer = tracker.pause("poll");

    assertThat(answer.running()).isEqualTo(2);
    assertThat(answer.message())
        .isEqualTo("paused; 2 running executions continue, and no further attempt follows them");
    assertThat(worker.beat().stopRequested()).isEmpty();
    assertThat(worker.succeed(first)).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(worker.report(second, Outcome.FAILED)).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(ends("poll")).containsExactly("SUCCEEDED", "FAILED");
  }

  @Test
  void noAttemptFollowsOneThatWasUnderWay() {
    for (Outcome outcome : new Outcome[] {Outcome.EXCEPTION, Outcome.LATER, Outcome.INTERRUPTED}) {
      String taskId = "poll-" + outcome;
      tracker.submit(job(taskId).every(MINUTE).build());
      Assignment running = worker.takeOne();
      tracker.pause(taskId);

      worker.report(running, outcome);

      assertThat(ends(taskId)).containsExactly("SKIPPED");
      assertThat(waiting(taskId)).isEmpty();
    }
  }

  @Test
  void waitingRetryIsSkippedOnce() {
    tracker.submit(job("poll").every(MINUTE).build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);

    tracker.pause("poll");

    assertThat(ends("poll")).containsExactly("RETRIED", "SKIPPED");
    assertThat(ledger("poll").get(1).attempt()).as("the attempt it had had").isEqualTo(1);
    assertThat(ledger("poll").get(1).cause()).isEqualTo(Cause.of(CauseCode.PAUSED));
  }

  /** The clocks of two trackers are never quite the same. */
  @Test
  void triggerThatHasBegunIsNotForgottenByATrackerWhoseClockIsBehind() {
    tracker.submit(
        job("poll")
            .every(Duration.ofSeconds(1))
            .at(inMillis(1_000))
            .misfire(MisfirePolicy.all())
            .overlap(OverlapPolicy.allow())
            .build());
    long start = time.millis();
    time.pass(Duration.ofMillis(2_000));
    worker.report(worker.take(2).get(1), Outcome.EXCEPTION);
    time.setClock(time.now().minusMillis(1_500));

    tracker.pause("poll");

    assertThat(definition("poll").generatedUntil()).isEqualTo(start + 2_000);
    assertThat(ends("poll")).containsExactly("RETRIED", "SKIPPED");
    assertThat(executing("poll")).hasSize(1);
    time.pass(Duration.ofMillis(2_500));
    tracker.resume("poll");
    assertThat(ledger("poll"))
        .last()
        .matches(row -> row.plannedFor() == start + 3_000 && row.instants() == 1);
  }

  @Test
  void pausingTwiceIsHarmlessAndTheFirstOneStaysRecorded() {
    tracker.submit(job("poll").every(MINUTE).build());
    worker.takeOne();
    tracker.pause("poll", "the partner is down");
    JobDefinition paused = definition("poll");
    time.pass(MINUTE);

    assertThat(tracker.pause("poll", "another reason"))
        .isEqualTo(
            new ChangeResult(
                ChangeStatus.UNCHANGED,
                1,
                "already paused by shop/client-1 since 2026-03-02T10:00:00Z: the partner is down"));
    assertThat(definition("poll")).isEqualTo(paused);
  }

  @Test
  void oneShotIsNotPausedWhetherItWaitsOrExecutes() {
    tracker.submit(job("close").build());
    ChangeResult refused =
        new ChangeResult(
            ChangeStatus.REFUSED,
            0,
            "orders/close is a one-shot, which can only be replaced or cancelled");

    assertThat(tracker.pause("close")).isEqualTo(refused);
    worker.takeOne();
    assertThat(tracker.pause("close")).isEqualTo(refused);
  }

  @Test
  void endedJobIsNotPaused() {
    tracker.submit(job("gone").every(MINUTE).build());
    tracker.cancel("gone");
    tracker.submit(job("once").every(MINUTE).times(1).build());
    worker.succeed(worker.takeOne());

    assertThat(tracker.pause("gone"))
        .isEqualTo(new ChangeResult(ChangeStatus.REFUSED, 0, "orders/gone is CANCELLED"));
    assertThat(tracker.pause("once"))
        .as("the generator has not come by yet to say that it is finished")
        .isEqualTo(
            new ChangeResult(
                ChangeStatus.REFUSED, 0, "orders/once is finished: it has no fire time left"));
    time.pass(MINUTE);
    tracker.generate();
    assertThat(tracker.pause("once"))
        .isEqualTo(new ChangeResult(ChangeStatus.REFUSED, 0, "orders/once is FINISHED"));
  }

  @Test
  void whatIsNotKnownIsNotFoundAndBringsNoNodeGroupIntoBeing() {
    CompletableFuture<ChangeResult> elsewhere =
        tracker
            .jobs()
            .pauser()
            .pause(HandDrivenTracker.CLIENT, new PauseRequest("no-such-group", "poll", null));
    time.run();

    assertThat(tracker.pause("unknown"))
        .isEqualTo(new ChangeResult(ChangeStatus.NOT_FOUND, 0, "there is no job orders/unknown"));
    assertThat(elsewhere.join().status()).isEqualTo(ChangeStatus.NOT_FOUND);
    assertThat(stores.nodeGroups().find("no-such-group")).isEmpty();
  }

  @Test
  void reasonIsBoundedInCharacters() {
    tracker.submit(job("poll").every(MINUTE).build());
    String longest = "\uD83D\uDE00".repeat(PauseRequest.MAX_REASON_CHARS);
    CompletableFuture<ChangeResult> refused =
        tracker
            .jobs()
            .pauser()
            .pause(HandDrivenTracker.CLIENT, new PauseRequest(GROUP, "poll", longest + "x"));

    assertThatThrownBy(refused::join)
        .cause()
        .hasMessage("the reason has 1001 characters; at most 1000 are allowed")
        .extracting(failure -> ((RpcException) failure).code())
        .isEqualTo(ErrorCode.BAD_REQUEST);
    assertThat(definition("poll").state()).isEqualTo(JobState.ACTIVE);
    tracker.pause("poll", longest);
    assertThat(definition("poll").pause().reason()).isEqualTo(longest);
  }

  @Test
  void clientIsToldOfInstantsThatThePauseSkipped() {
    tracker.submit(job("poll").every(MINUTE).feedback(true).build());

    tracker.pause("poll");

    assertThat(stores.feedback().read("shop", Long.MIN_VALUE, 10))
        .singleElement()
        .satisfies(
            told -> {
              assertThat(told.result().disposition()).isEqualTo(Disposition.SKIPPED);
              assertThat(told.result().message()).isEqualTo("paused");
            });
    assertThat(tracker.signals().feedback()).isEqualTo(1);
  }

  @Test
  void chainedTriggerYetToComeDoesNotUseUpTheCount() {
    tracker.submit(job("chain").fixedDelay(MINUTE).at(inMillis(60_000)).times(2).build());
    assertThat(definition("chain").firedCount()).isEqualTo(1);

    tracker.pause("chain");

    assertThat(definition("chain").firedCount()).isZero();
    assertThat(ledger("chain")).isEmpty();
  }

  @Test
  void chainIsNotContinuedByARunThatEndsDuringThePause() {
    tracker.submit(job("chain").fixedDelay(MINUTE).build());
    Assignment running = worker.takeOne();
    tracker.pause("chain");

    worker.succeed(running);

    assertThat(waiting("chain")).isEmpty();
    assertThat(definition("chain").state()).isEqualTo(JobState.PAUSED);
  }

  @Test
  void turnsAreCountedAnew() {
    tracker.submit(
        job("turns").every(Duration.ofSeconds(1)).overlap(OverlapPolicy.queue(5)).build());
    worker.takeOne();
    JobDefinition job = definition("turns");
    stores.transactions().run("queue", () -> stores.jobs().setTurns(job.id(), 1, 3));

    tracker.pause("turns");

    assertThat(executing("turns")).allMatch(Execution::counted);
    assertThat(locked(job.id()).running()).isEqualTo(1);
    assertThat(locked(job.id()).queued()).isZero();
  }

  @Test
  void heldTriggerIsSkipped() {
    tracker.submit(
        job("turns").every(Duration.ofSeconds(1)).overlap(OverlapPolicy.queue(5)).build());
    hold(waiting("turns").get(0));

    tracker.pause("turns");

    assertThat(waiting("turns")).isEmpty();
    assertThat(ends("turns")).containsExactly("SKIPPED");
  }

  @Test
  void pauseHappensWhollyOrNotAtAll() {
    tracker.submit(job("poll").every(MINUTE).build());
    JobDefinition before = definition("poll");
    List<WaitingTrigger> rows = waiting("poll");
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);

    transactions.failNext(FaultyTransactions.Fault.ROLLED_BACK_OUT_OF_REACH);
    assertThatThrownBy(() -> shaky.pause("poll")).hasCauseInstanceOf(UnknownOutcomeException.class);
    assertThat(definition("poll")).isEqualTo(before);
    assertThat(waiting("poll")).isEqualTo(rows);

    transactions.failNext(FaultyTransactions.Fault.COMMITTED_OUT_OF_REACH);
    assertThatThrownBy(() -> shaky.pause("poll")).hasCauseInstanceOf(UnknownOutcomeException.class);
    assertThat(shaky.pause("poll").status()).as("asked again").isEqualTo(ChangeStatus.UNCHANGED);
    assertThat(ends("poll")).containsExactly("SKIPPED");
  }

  @Test
  void pausedJobCanBeCancelledAndItsInstantsAreAccountedFor() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).build());
    tracker.pause("poll");
    time.pass(MINUTE.multipliedBy(3));

    assertThat(tracker.cancel("poll").found()).isTrue();

    assertThat(definition("poll").state()).isEqualTo(JobState.CANCELLED);
    assertThat(definition("poll").pause()).isNull();
    assertThat(ledger("poll"))
        .singleElement()
        .matches(
            row ->
                row.instants() == 3
                    && row.cause().equals(Cause.of(CauseCode.PAUSED_BY, "shop/client-1")));
  }

  @Test
  void editOfAPausedJobMakesItActiveAndForgetsThePause() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).build());
    tracker.pause("poll", "why");
    time.pass(MINUTE.multipliedBy(3).plusMillis(1));

    Job edited = job("poll").every(MINUTE.multipliedBy(3)).replaceExisting(true).build();
    assertThat(tracker.submit(edited).isStored()).isTrue();

    assertThat(definition("poll").state()).isEqualTo(JobState.ACTIVE);
    assertThat(definition("poll").pause()).isNull();
    assertThat(waiting("poll")).hasSize(4).allMatch(row -> row.jobVersion() == 3);
    assertThat(ledger("poll"))
        .singleElement()
        .matches(
            row ->
                row.instants() == 3
                    && row.cause().equals(Cause.of(CauseCode.PAUSED_BY, "shop/client-1")));
  }

  private LockedJob locked(long id) {
    return stores
        .transactions()
        .inTransaction("look", () -> stores.jobs().lock(List.of(id)).get(id));
  }

  private void hold(WaitingTrigger row) {
    stores
        .transactions()
        .run(
            "hold",
            () -> {
              stores.waiting().delete(GROUP, List.of(row.id()));
              stores.waiting().insert(GROUP, List.of(row.held(row.id() + 1_000)));
            });
  }
}
