package io.millrace.jobtracker.submit.change;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.api.CancelResult;
import io.millrace.api.ChangeStatus;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.api.RunNowResult;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.RunNowRequest;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.Submission;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunNowTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String ID = "run-1";

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  @Test
  void extraTriggerRunsAtOnceWithTheJobsParametersAndHasItsOwnRowInTheLedger() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).priority(7).build());
    JobDefinition before = definition("poll");

    RunNowResult answer = tracker.runNow(ID, "poll", null);

    assertThat(answer).isEqualTo(new RunNowResult(ChangeStatus.CHANGED, time.now(), 1, "runs now"));
    assertThat(tracker.signals().triggersDue()).endsWith(time.millis());
    assertThat(definition("poll")).as("the schedule is not touched").isEqualTo(before);
    WaitingTrigger row = extra("poll");
    assertThat(row.key()).isEqualTo(TriggerKey.extra("poll", time.millis(), 1));
    assertThat(row.jobVersion()).isEqualTo(before.version());
    assertThat(row.priority()).isEqualTo(7);
    assertThat(row.attempt()).isEqualTo(1);
    assertThat(row.submission()).isEqualTo(new Submission(ID, "client-1"));
    Assignment running = worker.takeOne();
    assertThat(running.ordinal()).isEqualTo(1);
    assertThat(running.params()).isEqualTo(Map.of("of", "poll"));
    worker.succeed(running);
    assertThat(ledger("poll"))
        .singleElement()
        .matches(end -> end.status() == LedgerStatus.SUCCEEDED && end.key().isExtra())
        .matches(end -> end.origin().submissionId().equals(ID))
        .matches(end -> end.origin().submittedBy().equals("client-1"));
    assertThat(waiting("poll")).hasSize(10);
  }

  @Test
  void otherParametersHoldForThatRunOnlyAndForItsRetries() {
    tracker.submit(job("poll").every(MINUTE).build());
    worker.succeed(worker.takeOne());

    tracker.runNow(ID, "poll", Map.of("day", "2026-02-28"));

    Assignment running = worker.takeOne();
    assertThat(running.params()).isEqualTo(Map.of("day", "2026-02-28"));
    worker.report(running, Outcome.EXCEPTION);
    time.pass(Duration.ofSeconds(5));
    Assignment again = worker.takeOne();
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(again.params()).isEqualTo(Map.of("day", "2026-02-28"));
    worker.succeed(again);
    time.pass(MINUTE);
    assertThat(worker.takeOne().params()).isEqualTo(Map.of("of", "poll"));
    assertThat(ledger("poll"))
        .filteredOn(row -> row.key().isExtra())
        .extracting(LedgerEntry::status, row -> row.origin().submissionId())
        .containsExactly(tuple(LedgerStatus.RETRIED, ID), tuple(LedgerStatus.SUCCEEDED, ID));
  }

  @Test
  void noParametersAreOtherParametersToo() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).build());

    tracker.runNow(ID, "poll", Map.of());

    assertThat(worker.takeOne().params()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void largeParametersGoAlong(boolean own) {
    String text = "x".repeat(100_000);
    String other = "y".repeat(100_000);
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).param("text", text).build());

    tracker.runNow(ID, "poll", own ? null : Map.of("text", other));

    assertThat(worker.takeOne().params()).containsEntry("text", own ? text : other);
  }

  @Test
  void extraTriggersAreCountedAndMayShareAMillisecond() {
    tracker.submit(job("poll").every(MINUTE).overlap(OverlapPolicy.allow()).build());

    assertThat(tracker.runNow("poll").ordinal()).isEqualTo(1);
    assertThat(tracker.runNow("poll").ordinal()).isEqualTo(2);

    assertThat(worker.take(5)).extracting(Assignment::ordinal).containsExactly(0, 1, 2);
  }

  @Test
  void pausedJobRunsWhenAskedAndStaysPaused() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).build());
    tracker.pause("poll");

    assertThat(tracker.runNow("poll").isAccepted()).isTrue();

    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    time.pass(Duration.ofSeconds(5));
    worker.succeed(worker.takeOne());
    assertThat(ends("poll")).containsExactly("RETRIED", "SUCCEEDED");
    assertThat(definition("poll").state()).isEqualTo(JobState.PAUSED);
    assertThat(waiting("poll")).isEmpty();
  }

  /** One run at a time is the default, for what is asked for as well. */
  @Test
  void runThatMeetsAnotherIsSkippedUnlessTheJobAllowsIt() {
    tracker.submit(job("poll").every(MINUTE).build());
    tracker.runNow("poll");

    worker.take(5).forEach(worker::succeed);

    assertThat(ledger("poll"))
        .extracting(row -> row.key().ordinal() + " " + row.status() + " " + row.cause())
        .containsExactlyInAnyOrder("0 SUCCEEDED null", "1 SKIPPED OVERLAP");
  }

  @Test
  void whatWasAskedForDuringThePauseGoesOnAfterIt() {
    tracker.submit(
        job("poll").every(MINUTE).at(inMillis(60_000)).overlap(OverlapPolicy.allow()).build());
    tracker.pause("poll");
    tracker.runNow("poll");
    Assignment running = worker.takeOne();
    tracker.runNow("poll");

    tracker.resume("poll");

    worker.report(running, Outcome.EXCEPTION);
    time.pass(Duration.ofSeconds(5));
    worker.take(5).forEach(worker::succeed);
    assertThat(ends("poll")).containsExactly("RETRIED", "SUCCEEDED", "SUCCEEDED");
  }

  @Test
  void pauseSkipsAnExtraTriggerThatWaits() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).build());
    tracker.runNow(ID, "poll", null);

    tracker.pause("poll");

    assertThat(ledger("poll"))
        .singleElement()
        .matches(
            row -> row.status() == LedgerStatus.SKIPPED && row.origin().submissionId().equals(ID));
    assertThat(waiting("poll")).isEmpty();
  }

  @Test
  void extraTriggerThatWaitsEndsWithItsJobWhateverTheClocksSay() {
    tracker.submit(job("edited").every(MINUTE).at(inMillis(60_000)).build());
    tracker.submit(job("cancelled").every(MINUTE).at(inMillis(60_000)).build());
    tracker.runNow("run-2", "edited", null);
    tracker.runNow("run-3", "cancelled", null);
    time.setClock(time.now().minusMillis(5));

    tracker.submit(job("edited").every(MINUTE).at(inMillis(60_000)).replaceExisting(true).build());
    assertThat(tracker.cancel("cancelled")).isEqualTo(new CancelResult(true, 11, 0));

    assertThat(ledger("edited"))
        .singleElement()
        .matches(
            row ->
                row.status() == LedgerStatus.CANCELLED
                    && row.origin().submissionId().equals("run-2"))
        .matches(row -> row.cause().equals(Cause.of(CauseCode.REPLACED)));
    assertThat(ledger("cancelled"))
        .singleElement()
        .matches(
            row ->
                row.status() == LedgerStatus.CANCELLED
                    && row.origin().submissionId().equals("run-3"));
  }

  @Test
  void chainIsNotContinuedByAnExtraRun() {
    tracker.submit(job("chain").fixedDelay(MINUTE).at(inMillis(60_000)).build());
    tracker.runNow("chain");

    worker.succeed(worker.takeOne());

    assertThat(waiting("chain")).singleElement().matches(row -> !row.key().isExtra());
  }

  @Test
  void resendIsAnsweredFromTheRecordWhereverTheRunIs() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).build());
    RunNowResult first = tracker.runNow(ID, "poll", null);
    time.pass(Duration.ofSeconds(1));

    assertKnown(first, "is already waiting, because this request was received before");
    Assignment running = worker.takeOne();
    assertKnown(first, "is already running, because this request was received before");
    worker.report(running, Outcome.LATER);
    assertKnown(first, "is already waiting, because this request was received before");
    worker.succeed(worker.takeOne());
    assertKnown(first, "has already run, because this request was received before");
    tracker.cancel("poll");
    assertKnown(first, "has already run, because this request was received before");
    assertThat(ledger("poll")).hasSize(2);
  }

  @Test
  void submissionIdOfAnotherRequestIsRefused() {
    tracker.submit(job("other").every(MINUTE).build());
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).build());
    tracker.runNow(ID, "other", null);
    worker.take(2).forEach(worker::succeed);

    assertThat(tracker.runNow(ID, "poll", null))
        .isEqualTo(
            refused(
                "BAD_SUBMISSION_ID: submission id 'run-1' belongs to another request, about"
                    + " orders/other; each request needs its own id"));
    assertThat(waiting("poll")).hasSize(10);
  }

  @Test
  void whatIsNoLivingRecurringJobIsNotRun() {
    tracker.submit(job("close").at(inMillis(5_000)).build());
    tracker.submit(job("gone").every(MINUTE).build());
    tracker.cancel("gone");
    tracker.submit(job("once").every(MINUTE).times(1).build());
    worker.succeed(worker.takeOne());

    assertThat(tracker.runNow("close"))
        .isEqualTo(refused("orders/close is a one-shot, which can only be replaced or cancelled"));
    assertThat(tracker.runNow("gone")).isEqualTo(refused("orders/gone is CANCELLED"));
    assertThat(tracker.runNow("once"))
        .isEqualTo(refused("orders/once is finished: it has no fire time left"));
    assertThat(tracker.runNow("unknown"))
        .isEqualTo(
            new RunNowResult(ChangeStatus.NOT_FOUND, null, 0, "there is no job orders/unknown"));
    assertThat(
            tracker
                .jobs()
                .runNow()
                .runNow(
                    HandDrivenTracker.CLIENT, new RunNowRequest(ID, "no-such-group", "poll", null)))
        .satisfies(unused -> time.run())
        .isCompletedWithValueMatching(answer -> answer.status() == ChangeStatus.NOT_FOUND);
    assertThat(stores.nodeGroups().find("no-such-group")).isEmpty();
  }

  @Test
  void badRequestsSayWhatIsWrong() {
    tracker.submit(job("poll").every(MINUTE).build());

    assertThat(tracker.runNow(" ", "poll", null))
        .isEqualTo(refused("BAD_SUBMISSION_ID: the submission id must have 1 to 40 characters"));
    assertThat(tracker.runNow("s".repeat(41), "poll", null).status())
        .isEqualTo(ChangeStatus.REFUSED);
    assertThat(tracker.runNow(ID, "poll", Collections.singletonMap("orderId", null)))
        .isEqualTo(refused("BAD_PARAMS: parameter 'orderId' has no value"));
    assertThat(tracker.runNow(ID, "poll", Map.of("k", "x".repeat(1 << 20))))
        .isEqualTo(
            refused(
                "PARAMS_TOO_LARGE: the parameters have 1048577 bytes of UTF-8 in total; at"
                    + " most 1048576 are allowed"));
    assertThat(waiting("poll")).noneMatch(row -> row.key().isExtra());
  }

  @Test
  void runOfUnknownOutcomeIsStoredOnceByItsResend() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).build());
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
    for (FaultyTransactions.Fault fault :
        List.of(
            FaultyTransactions.Fault.ROLLED_BACK_OUT_OF_REACH,
            FaultyTransactions.Fault.COMMITTED_OUT_OF_REACH)) {
      transactions.failNext(fault);
      assertThatThrownBy(() -> shaky.runNow(ID, "poll", null))
          .hasCauseInstanceOf(UnknownOutcomeException.class);
    }

    assertThat(shaky.runNow(ID, "poll", null).ordinal())
        .as("nothing is left of what was rolled back")
        .isEqualTo(1);
    assertThat(waiting("poll")).filteredOn(row -> row.key().isExtra()).hasSize(1);
  }

  private void assertKnown(RunNowResult first, String message) {
    assertThat(tracker.runNow(ID, "poll", null))
        .isEqualTo(
            new RunNowResult(ChangeStatus.CHANGED, first.plannedFor(), first.ordinal(), message));
  }

  private static RunNowResult refused(@Nullable String message) {
    return new RunNowResult(ChangeStatus.REFUSED, null, 0, message);
  }

  private WaitingTrigger extra(String taskId) {
    return waiting(taskId).stream().filter(row -> row.key().isExtra()).findFirst().orElseThrow();
  }
}
