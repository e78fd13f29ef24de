package io.millrace.jobtracker.submit.change;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.OPERATOR;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.job.RunCounts;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Replay;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.ReplayResult;
import io.millrace.jobtracker.domain.outcome.ReplayResult.Status;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayDeadTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  private static Job.Builder mortal(String taskId) {
    return job(taskId).retry(RetryPolicy.NONE);
  }

  /** Submits a job, and lets its first run die. */
  private DeadTrigger died(Job.Builder builder) {
    Job job = builder.build();
    assertThat(tracker.submit(job).status()).isEqualTo(SubmitStatus.ACCEPTED);
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    return dead(job.taskId()).get(0);
  }

  private WaitingTrigger extra(String taskId) {
    return waiting(taskId).stream().filter(row -> row.key().isExtra()).findFirst().orElseThrow();
  }

  private DeadTrigger now(DeadTrigger before) {
    return stores.dead().find(before.id()).orElseThrow();
  }

  private static ReplayResult refused(@Nullable String message) {
    return new ReplayResult(Status.REFUSED, null, null, String.valueOf(message));
  }

  private void assertUntouched(DeadTrigger before) {
    assertThat(now(before).state()).isEqualTo(DeadState.OPEN);
  }

  // One-shots.

  @Test
  void oneShotRunsAgainWithAllItsAttemptsAndSaysWhoseReplayItIs() {
    DeadTrigger dead = died(job("close").retry(RetryPolicy.NONE).priority(7).handler("mail"));
    time.pass(MINUTE);

    ReplayResult result = tracker.replay(dead.id());

    assertThat(result.status()).isEqualTo(Status.REPLAYED);
    assertThat(result.message()).isEqualTo("runs now");
    assertThat(result.key()).isEqualTo(TriggerKey.oneShot("close"));
    assertThat(tracker.signals().triggersDue()).endsWith(time.millis());
    WaitingTrigger row = waiting("close").get(0);
    assertThat(row.id()).isEqualTo(result.replayId()).isGreaterThan(dead.id());
    assertThat(row.jobId()).as("a job of its own").isEqualTo(row.id());
    assertThat(row.dueAt()).isEqualTo(time.millis());
    assertThat(row.plannedFor()).isEqualTo(dead.plannedFor());
    assertThat(row.attempt()).isEqualTo(1);
    assertThat(row.priority()).isEqualTo(7);
    Assignment running = worker.takeOne();
    assertThat(running.params()).isEqualTo(Map.of("of", "close"));
    assertThat(running.handler()).isEqualTo("mail");
    assertThat(executing("close").get(0).spec().replayOf()).isEqualTo(dead.id());
    worker.succeed(running);

    assertThat(ends("close")).containsExactly("DEAD", "SUCCEEDED");
    LedgerEntry end = ledger("close").get(1);
    assertThat(end.origin().replayOf()).isEqualTo(dead.id());
    assertThat(end.origin().submittedBy()).isEqualTo(OPERATOR);
    assertThat(end.origin().submissionId())
        .isNotEqualTo(ledger("close").get(0).origin().submissionId());
    assertThat(now(dead).settlement())
        .isEqualTo(
            new Settlement(
                row.generatedAt(),
                OPERATOR,
                new Replay(Objects.requireNonNull(result.replayId()), 0)));
    assertThat(now(dead).state()).isEqualTo(DeadState.REPLAYED);
  }

  @Test
  void waitingTableSaysWhoseReplayAOneShotIs() {
    DeadTrigger dead = died(mortal("close"));

    tracker.replay(dead.id());

    assertThat(waiting("close").get(0).spec()).matches(spec -> spec.replayOf() == dead.id());
  }

  @Test
  void otherParametersHoldForAllAttemptsOfTheReplay() {
    DeadTrigger dead = died(mortal("none"));
    tracker.replay(dead.id(), Map.of());
    Assignment none = worker.takeOne();
    assertThat(none.params()).isEmpty();
    worker.succeed(none);

    tracker.submit(job("close").retry(RetryPolicy.retries(1)).build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    time.pass(Duration.ofMinutes(10));
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    long id = dead("close").get(0).id();
    tracker.replay(id, Map.of("day", "2"));
    Assignment first = worker.takeOne();
    assertThat(first.params()).isEqualTo(Map.of("day", "2"));
    assertThat(first.attempt()).isEqualTo(1);
    worker.report(first, Outcome.EXCEPTION);
    time.pass(Duration.ofMinutes(10));
    Assignment second = worker.takeOne();
    assertThat(second.params()).isEqualTo(Map.of("day", "2"));
    worker.report(second, Outcome.EXCEPTION);

    assertThat(ends("close")).containsExactly("RETRIED", "DEAD", "RETRIED", "DEAD");
    assertThat(ledger("close"))
        .extracting(row -> row.origin().replayOf())
        .containsExactly(null, null, id, id);
    assertThat(dead("close")).extracting(DeadTrigger::replayOf).containsExactly(null, id);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void largeParametersGoAlong(boolean own) {
    String text = "x".repeat(100_000);
    String other = "y".repeat(100_000);
    DeadTrigger dead = died(mortal("close").param("text", text));

    tracker.replay(dead.id(), own ? Map.of("text", other) : null);

    assertThat(worker.takeOne().params()).containsEntry("text", own ? other : text);
  }

  @Test
  void replayThatDiesCanBeReplayedInItsTurn() {
    DeadTrigger first = died(mortal("close"));
    tracker.replay(first.id());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    DeadTrigger second = dead("close").get(1);

    assertThat(tracker.replay(second.id()).status()).isEqualTo(Status.REPLAYED);

    worker.succeed(worker.takeOne());
    assertThat(ledger("close"))
        .extracting(row -> row.origin().replayOf())
        .containsExactly(null, first.id(), second.id());
  }

  @Test
  void taskIdThatIsTakenIsNotTakenTwice() {
    DeadTrigger dead = died(mortal("close"));

    tracker.submit(job("close").at(inMillis(60_000)).build());
    assertThat(tracker.replay(dead.id()))
        .isEqualTo(
            refused("the task id of orders/close is in use: a one-shot of its task id is waiting"));
    time.pass(MINUTE);
    Assignment running = worker.takeOne();
    assertThat(tracker.replay(dead.id()))
        .isEqualTo(
            refused(
                "the task id of orders/close is in use: execution "
                    + running.executionId()
                    + " is running"));
    worker.succeed(running);
    tracker.submit(job("close").every(MINUTE).at(inMillis(60_000)).build());
    assertThat(tracker.replay(dead.id()))
        .isEqualTo(
            refused(
                "the task id of orders/close is in use: a recurring job of its task id is ACTIVE"));
    assertUntouched(dead);
    assertThat(waiting("close")).noneMatch(row -> row.key().plannedAt() == 0);
    tracker.cancel("close");

    assertThat(tracker.replay(dead.id()).status()).isEqualTo(Status.REPLAYED);
  }

  @Test
  void replayTakesItsTaskIdLikeAnyOneShot() {
    DeadTrigger dead = died(mortal("close"));
    tracker.replay(dead.id());

    assertThat(tracker.submit(job("close").build()).status()).isEqualTo(SubmitStatus.DUPLICATE);
    Assignment running = worker.takeOne();
    assertThat(tracker.submit(job("close").build()).status()).isEqualTo(SubmitStatus.DUPLICATE);
    worker.succeed(running);

    assertThat(ends("close")).containsExactly("DEAD", "SUCCEEDED");
  }

  @Test
  void resendOfTheDeadJobIsStillKnown() {
    tracker.submit("client-7", mortal("close").build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    tracker.replay(dead("close").get(0).id());
    worker.succeed(worker.takeOne());

    assertThat(tracker.submit("client-7", mortal("close").build()).status())
        .isEqualTo(SubmitStatus.ACCEPTED);

    assertThat(waiting("close")).isEmpty();
  }

  @Test
  void clientIsToldHowTheReplayEndsToo() {
    DeadTrigger dead = died(mortal("close").feedback(true));
    tracker.replay(dead.id());
    worker.succeed(worker.takeOne());

    assertThat(stores.feedback().read("shop", 0, 10))
        .extracting(feedback -> feedback.result().disposition().name())
        .containsExactly("DEAD", "SUCCEEDED");
  }

  // Once for each.

  @Test
  void secondReplayIsToldOfTheFirst() {
    DeadTrigger dead = died(mortal("close"));
    ReplayResult first = tracker.replay(dead.id());
    worker.succeed(worker.takeOne());

    ReplayResult second = tracker.replay(dead.id());

    assertThat(second)
        .isEqualTo(
            new ReplayResult(
                Status.REPLAYED_BEFORE,
                first.replayId(),
                null,
                "dead trigger "
                    + dead.id()
                    + " has already been replayed as "
                    + first.replayId()
                    + ", by operator/ann"));
    assertThat(waiting("close")).isEmpty();
  }

  @Test
  void whatWasDiscardedMayYetBeReplayed() {
    DeadTrigger dead = died(mortal("close"));
    assertThat(stores.dead().settle(dead.id(), new Settlement(1, OPERATOR, null))).isTrue();

    assertThat(tracker.replay(dead.id()).status()).isEqualTo(Status.REPLAYED);

    assertThat(now(dead).state()).isEqualTo(DeadState.REPLAYED);
  }

  @Test
  void unknownTriggersAndWrongParametersAreRefused() {
    DeadTrigger dead = died(mortal("close"));

    assertThat(tracker.replay(42))
        .isEqualTo(new ReplayResult(Status.NOT_FOUND, null, null, "there is no dead trigger 42"));
    assertThat(tracker.replay(dead.id(), Map.of("k", "x".repeat(1 << 20))).status())
        .isEqualTo(Status.BAD_PARAMS);
    assertUntouched(dead);
    byHand("UPDATE jt_dead SET node_group = 'removed'");
    assertThat(tracker.replay(dead.id())).isEqualTo(refused("node group removed was removed"));
  }

  @ParameterizedTest
  @EnumSource(names = {"ROLLED_BACK_IN_SILENCE", "COMMITTED_IN_SILENCE"})
  void commitWhoseAnswerIsLostIsFoundOut(FaultyTransactions.Fault fault) {
    DeadTrigger dead = died(mortal("close"));
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
    transactions.failNext(fault);

    ReplayResult result = shaky.replay(dead.id());

    assertThat(result.status()).isEqualTo(Status.REPLAYED);
    assertThat(waiting("close")).singleElement().matches(row -> row.id() == result.replayId());
  }

  @Test
  void replayOfUnknownOutcomeIsCarriedOutOnceWhenItIsAskedForAgain() {
    DeadTrigger dead = died(mortal("poll").every(MINUTE));
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
    transactions.failNext(FaultyTransactions.Fault.ROLLED_BACK_OUT_OF_REACH);
    assertThatThrownBy(() -> shaky.replay(dead.id()))
        .hasCauseInstanceOf(UnknownOutcomeException.class);
    assertUntouched(dead);
    transactions.failNext(FaultyTransactions.Fault.COMMITTED_OUT_OF_REACH);
    assertThatThrownBy(() -> shaky.replay(dead.id()))
        .hasCauseInstanceOf(UnknownOutcomeException.class);

    ReplayResult again = shaky.replay(dead.id());

    assertThat(again.status()).isEqualTo(Status.REPLAYED_BEFORE);
    assertThat(extra("poll").id()).isEqualTo(again.replayId());
    assertThat(extra("poll").key().ordinal()).isEqualTo(1);
  }

  // Recurring jobs, in each of their states.

  @Test
  void triggerOfARecurringJobRunsAgainForItsInstantUnderANewOrdinal() {
    DeadTrigger dead = died(mortal("poll").every(MINUTE).priority(9));
    time.pass(Duration.ofSeconds(10));
    tracker.runNow("poll");
    worker.succeed(worker.takeOne());

    ReplayResult result = tracker.replay(dead.id());

    assertThat(result.key()).isEqualTo(TriggerKey.extra("poll", dead.key().plannedAt(), 2));
    WaitingTrigger row = extra("poll");
    assertThat(row.plannedFor()).isEqualTo(dead.plannedFor());
    assertThat(row.dueAt()).isEqualTo(time.millis());
    assertThat(row.priority()).isEqualTo(9);
    assertThat(row.submission()).matches(submission -> submission.replayOf() == dead.id());
    Assignment running = worker.takeOne();
    assertThat(running.params()).as("the job's").isEqualTo(Map.of("of", "poll"));
    assertThat(running.plannedFor().toEpochMilli()).isEqualTo(dead.plannedFor());
    worker.succeed(running);
    assertThat(ledger("poll").get(2))
        .matches(end -> end.origin().replayOf() == dead.id())
        .matches(end -> end.jobId() == dead.jobId())
        .matches(end -> end.origin().submittedBy().equals(OPERATOR));
    assertThat(tracker.reconcile().isNothing()).as("nothing is amiss").isTrue();
  }

  @Test
  void whatAPersonHasRequeuedBySqlIsNotReplayedAgainAndTheReverse() throws Exception {
    DeadTrigger first = died(mortal("poll").every(MINUTE).overlap(OverlapPolicy.allow()));
    tracker.runNow("poll");
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    DeadTrigger second = dead("poll").get(1);

    assertThat(byScript("requeue", first.id())).isEqualTo("requeued");
    ReplayResult again = tracker.replay(first.id());
    assertThat(again.status()).isEqualTo(Status.REPLAYED_BEFORE);
    assertThat(again.replayId()).isEqualTo(extra("poll").id());
    assertThat(again.message()).endsWith(", by operations sql");

    ReplayResult replayed = tracker.replay(second.id());
    assertThat(replayed.key()).isEqualTo(TriggerKey.extra("poll", second.key().plannedAt(), 3));
    assertThat(byScript("requeue", second.id()))
        .isEqualTo("not requeued: it has been replayed before");
    assertThat(waiting("poll")).filteredOn(row -> row.key().isExtra()).hasSize(2);
  }

  @Test
  void extraRunIsReplayedWithItsOwnParametersOrWithOthers() {
    tracker.submit(mortal("poll").every(MINUTE).at(inMillis(60_000)).build());
    for (int i = 0; i < 2; i++) {
      tracker.runNow("run-" + i, "poll", Map.of("day", "1"));
      worker.report(worker.takeOne(), Outcome.EXCEPTION);
    }

    tracker.replay(dead("poll").get(0).id());
    Assignment same = worker.takeOne();
    assertThat(same.params()).isEqualTo(Map.of("day", "1"));
    worker.succeed(same);
    tracker.replay(dead("poll").get(1).id(), Map.of("day", "2"));
    assertThat(worker.takeOne().params()).isEqualTo(Map.of("day", "2"));
  }

  @Test
  void retriesOfAReplayStayReplays() {
    Duration hour = Duration.ofHours(1);
    tracker.submit(
        job("poll").every(hour).at(inMillis(3_600_000)).retry(RetryPolicy.retries(1)).build());
    tracker.runNow("poll");
    for (int i = 0; i < 2; i++) {
      worker.report(worker.takeOne(), Outcome.EXCEPTION);
      time.pass(MINUTE);
    }
    DeadTrigger dead = dead("poll").get(0);

    tracker.replay(dead.id());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    time.pass(MINUTE);
    worker.succeed(worker.takeOne());

    assertThat(ledger("poll"))
        .filteredOn(row -> row.origin().replayOf() != null)
        .hasSize(2)
        .allMatch(row -> row.origin().replayOf() == dead.id());
  }

  @Test
  void editedJobReplaysAsItIsNow() {
    DeadTrigger dead = died(mortal("poll").every(MINUTE));
    tracker.submit(
        job("poll")
            .every(MINUTE)
            .at(inMillis(60_000))
            .param("of", "the edit")
            .replaceExisting(true)
            .build());

    assertThat(tracker.replay(dead.id()).status()).isEqualTo(Status.REPLAYED);

    assertThat(extra("poll").jobVersion()).isEqualTo(2);
    assertThat(worker.takeOne().params()).isEqualTo(Map.of("of", "the edit"));
  }

  @Test
  void pausedJobReplaysAndStaysPaused() {
    DeadTrigger dead = died(mortal("poll").every(MINUTE));
    tracker.pause("poll");

    assertThat(tracker.replay(dead.id()).status()).isEqualTo(Status.REPLAYED);

    worker.succeed(worker.takeOne());
    assertThat(definition("poll").state()).isEqualTo(JobState.PAUSED);
  }

  @Test
  void jobThatIsOverDoesNotReplay() {
    DeadTrigger cancelled = died(mortal("cancelled").every(MINUTE));
    tracker.cancel("cancelled");
    DeadTrigger over = died(mortal("over").every(MINUTE).times(1));
    assertThat(tracker.replay(over.id()))
        .isEqualTo(refused("orders/over is finished: it has no fire time left"));
    time.pass(Duration.ofMinutes(10));
    tracker.generate();
    DeadTrigger replaced = died(mortal("replaced").every(MINUTE));
    tracker.submit(job("replaced").at(inMillis(60_000)).replaceExisting(true).build());

    assertThat(tracker.replay(cancelled.id())).isEqualTo(refused("orders/cancelled is CANCELLED"));
    assertThat(tracker.replay(over.id())).isEqualTo(refused("orders/over is FINISHED"));
    assertThat(tracker.replay(replaced.id()))
        .isEqualTo(
            refused("orders/replaced is a one-shot, which can only be replaced or cancelled"));
    assertUntouched(cancelled);
    assertUntouched(over);
    assertUntouched(replaced);
    byHand("DELETE FROM jt_job");
    assertThat(tracker.replay(cancelled.id()))
        .isEqualTo(refused("there is no job orders/cancelled"));
  }

  // Jobs of which one trigger may run at a time.

  @Test
  void replayIsNotSkippedOnceItWasTakenIn() {
    DeadTrigger dead = died(mortal("poll").every(MINUTE).overlap(OverlapPolicy.skip()));

    assertThat(tracker.replay(dead.id()).message()).isEqualTo("runs now");
    assertThat(stores.jobs().turns(dead.jobId())).isEqualTo(new RunCounts(1, 0));
    time.pass(MINUTE);
    tracker.load();
    worker.take(2);

    assertThat(executing("poll")).singleElement().matches(row -> row.key().isExtra());
    assertThat(ends("poll")).containsExactly("DEAD", "SKIPPED");
    assertThat(ledger("poll").get(1).key().isExtra()).as("the schedule's was skipped").isFalse();
  }

  @Test
  void jobThatSkipsRefusesAReplayWhileItRuns() {
    DeadTrigger dead = died(mortal("poll").every(MINUTE).overlap(OverlapPolicy.skip()));
    time.pass(MINUTE);
    tracker.load();
    Assignment running = worker.takeOne();

    assertThat(tracker.replay(dead.id()))
        .isEqualTo(
            refused(
                "a run of orders/poll is in progress, and the job skips runs that would overlap"));
    assertUntouched(dead);
    worker.succeed(running);

    assertThat(tracker.replay(dead.id()).key()).matches(key -> key.ordinal() == 1);
    worker.succeed(worker.takeOne());
    assertThat(stores.jobs().turns(dead.jobId())).isEqualTo(new RunCounts(0, 0));
    assertThat(tracker.reconcile().isNothing()).isTrue();
  }

  @Test
  void jobThatQueuesLetsAReplayWaitForItsTurn() {
    DeadTrigger first = died(mortal("poll").every(MINUTE).overlap(OverlapPolicy.queue(1)));
    time.pass(MINUTE);
    tracker.load();
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    DeadTrigger second = dead("poll").get(1);
    time.pass(MINUTE);
    tracker.load();
    Assignment running = worker.takeOne();

    assertThat(tracker.replay(first.id()).message())
        .isEqualTo("waits, because another run is in progress");
    assertThat(extra("poll").isHeld()).isTrue();
    assertThat(tracker.replay(second.id()))
        .isEqualTo(
            refused("a run of orders/poll is in progress, and 1 are waiting, which is the limit"));
    assertUntouched(second);
    assertThat(stores.jobs().turns(first.jobId())).isEqualTo(new RunCounts(1, 1));
    worker.succeed(running);
    Assignment replay = worker.takeOne();
    assertThat(replay.ordinal()).isEqualTo(1);
    worker.succeed(replay);

    assertThat(stores.jobs().turns(first.jobId())).isEqualTo(new RunCounts(0, 0));
    assertThat(ledger("poll").get(3)).matches(row -> row.origin().replayOf() == first.id());
    assertThat(tracker.reconcile().isNothing()).isTrue();
  }

  @Test
  void chainIsNeitherTornNorDoubledByAReplay() {
    DeadTrigger dead = died(mortal("chain").fixedDelay(MINUTE));
    assertThat(waiting("chain")).hasSize(1);

    assertThat(tracker.replay(dead.id()).status()).isEqualTo(Status.REPLAYED);
    Assignment replay = worker.takeOne();
    assertThat(replay.ordinal()).isEqualTo(1);
    worker.succeed(replay);

    assertThat(waiting("chain")).singleElement().matches(row -> !row.key().isExtra());
    assertThat(ends("chain")).containsExactly("DEAD", "SUCCEEDED");
    assertThat(tracker.reconcile().isNothing()).isTrue();
  }

  @Test
  void replayThatWaitsEndsWithItsJob() {
    DeadTrigger dead = died(mortal("poll").every(MINUTE).overlap(OverlapPolicy.skip()));
    tracker.replay(dead.id());

    tracker.cancel("poll");

    assertThat(ledger("poll"))
        .filteredOn(row -> row.origin().replayOf() != null)
        .singleElement()
        .matches(row -> row.status() == LedgerStatus.CANCELLED);
    assertThat(waiting("poll")).isEmpty();
  }
}
