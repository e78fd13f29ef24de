package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static io.millrace.jobtracker.fixture.HandTime.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.api.ChangeResult;
import io.millrace.api.ChangeStatus;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.Outcome;
import io.millrace.api.OverlapPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ResumeRequest;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.failure.UnknownOutcomeException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ResumeTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  @Test
  void resumedJobGoesOnFromNowAndItsInstantsMeanwhileAreOneSkippedRow() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).build());
    long start = time.millis();
    tracker.pause("poll");
    JobDefinition paused = definition("poll");
    time.pass(MINUTE.multipliedBy(30).plusMillis(1));

    ChangeResult answer = tracker.resume("poll");

    assertThat(answer)
        .isEqualTo(
            new ChangeResult(
                ChangeStatus.CHANGED, 0, "resumed; runs next at 2026-03-02T10:31:00Z"));
    JobDefinition after = definition("poll");
    assertThat(after.state()).isEqualTo(JobState.ACTIVE);
    assertThat(after.pause()).isNull();
    assertThat(after.version()).as("the version stays").isEqualTo(paused.version());
    assertThat(waiting("poll"))
        .hasSize(10)
        .allMatch(row -> row.jobVersion() == after.version())
        .extracting(WaitingTrigger::plannedFor)
        .startsWith(start + 31 * 60_000);
    assertThat(tracker.signals().triggersDue()).endsWith(start + 31 * 60_000);
    LedgerEntry row = onlyEnd("poll");
    assertThat(row.status()).isEqualTo(LedgerStatus.SKIPPED);
    assertThat(row.cause()).isEqualTo(Cause.of(CauseCode.PAUSED_BY, "shop/client-1"));
    assertThat(row.plannedFor()).isEqualTo(start + 60_000);
    assertThat(row.plannedTo()).isEqualTo(start + 30 * 60_000);
    assertThat(row.instants()).isEqualTo(30);
  }

  @Test
  void instantsInTheMillisecondsOfPauseAndResumeHaveOneDispositionEach() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).build());
    long start = time.millis();
    time.pass(MINUTE);
    tracker.pause("poll");
    time.pass(MINUTE.multipliedBy(2));

    tracker.resume("poll");

    assertThat(ledger("poll"))
        .extracting(LedgerEntry::plannedFor, LedgerEntry::plannedTo, LedgerEntry::cause)
        .containsExactly(
            tuple(start + 60_000, start + 60_000, Cause.of(CauseCode.PAUSED)),
            tuple(
                start + 120_000, start + 180_000, Cause.of(CauseCode.PAUSED_BY, "shop/client-1")));
    assertThat(waiting("poll")).extracting(WaitingTrigger::plannedFor).startsWith(start + 240_000);
  }

  @Test
  void resumeBeforeTheNextInstantLeavesNoTraceOfThePause() {
    tracker.submit(job("poll").every(MINUTE).at(inMillis(60_000)).build());
    List<Long> planned = waiting("poll").stream().map(WaitingTrigger::plannedFor).toList();
    tracker.pause("poll");
    time.pass(Duration.ofSeconds(59));

    tracker.resume("poll");

    assertThat(ledger("poll")).isEmpty();
    assertThat(waiting("poll"))
        .extracting(WaitingTrigger::plannedFor)
        .containsExactlyElementsOf(planned);
  }

  @Test
  void resumingTwiceIsHarmless() {
    tracker.submit(job("poll").every(MINUTE).build());
    worker.takeOne();
    tracker.pause("poll");
    time.pass(MINUTE);
    tracker.resume("poll");
    JobDefinition resumed = definition("poll");
    List<WaitingTrigger> rows = waiting("poll");

    assertThat(tracker.resume("poll"))
        .isEqualTo(new ChangeResult(ChangeStatus.UNCHANGED, 1, "the job is not paused"));
    assertThat(definition("poll")).isEqualTo(resumed);
    assertThat(waiting("poll")).isEqualTo(rows);
    assertThat(ledger("poll")).hasSize(1);
  }

  @Test
  void whatIsNoPausedJobIsNotResumed() {
    tracker.submit(job("close").at(inMillis(5_000)).build());
    tracker.submit(job("gone").every(MINUTE).build());
    tracker.cancel("gone");

    assertThat(tracker.resume("close").status()).isEqualTo(ChangeStatus.REFUSED);
    assertThat(tracker.resume("gone"))
        .isEqualTo(new ChangeResult(ChangeStatus.REFUSED, 0, "orders/gone is CANCELLED"));
    assertThat(tracker.resume("unknown").status()).isEqualTo(ChangeStatus.NOT_FOUND);
    assertThat(tracker.jobs().resumer().resume(new ResumeRequest("no-such-group", "poll")))
        .satisfies(unused -> time.run())
        .isCompletedWithValueMatching(answer -> answer.status() == ChangeStatus.NOT_FOUND);
  }

  @Test
  void policyMayHaveAllInstantsOfThePauseRun() {
    tracker.submit(
        job("poll")
            .every(MINUTE)
            .at(inMillis(60_000))
            .misfire(MisfirePolicy.all().atMost(3).alsoAfterPause())
            .overlap(OverlapPolicy.allow())
            .build());
    long start = time.millis();
    tracker.pause("poll");
    time.pass(MINUTE.multipliedBy(10));

    tracker.resume("poll");

    assertThat(onlyEnd("poll")).matches(row -> row.instants() == 7);
    assertThat(waiting("poll"))
        .extracting(WaitingTrigger::plannedFor)
        .startsWith(
            start + 8 * 60_000, start + 9 * 60_000, start + 10 * 60_000, start + 11 * 60_000)
        .doesNotHaveDuplicates();
    assertThat(worker.take(10)).as("those of the pause are due").hasSize(3);
  }

  @Test
  void policyMayHaveTheLatestInstantOfThePauseRunIfItIsNotTooOld() {
    MisfirePolicy latest = MisfirePolicy.latest().within(MINUTE).alsoAfterPause();
    tracker.submit(job("old").every(MINUTE.multipliedBy(5)).misfire(latest).build());
    tracker.submit(job("young").every(MINUTE).misfire(latest).build());
    worker.take(2).forEach(worker::succeed);
    tracker.pause("old");
    tracker.pause("young");
    time.pass(MINUTE.multipliedBy(8));

    tracker.resume("old");
    tracker.resume("young");

    assertThat(ledger("old")).hasSize(2).last().matches(row -> row.instants() == 1);
    assertThat(ledger("young")).hasSize(2).last().matches(row -> row.instants() == 7);
    assertThat(worker.take(10)).extracting(Assignment::taskId).containsExactly("young");
  }

  @Test
  void withoutThatWordOfThePolicyNothingOfThePauseRuns() {
    tracker.submit(job("poll").every(MINUTE).misfire(MisfirePolicy.all()).build());
    worker.succeed(worker.takeOne());
    tracker.pause("poll");
    time.pass(MINUTE.multipliedBy(3));

    tracker.resume("poll");

    assertThat(worker.take(10)).isEmpty();
    assertThat(ends("poll")).containsExactly("SUCCEEDED", "SKIPPED");
  }

  @Test
  void retryOfBeforeThePauseDoesNotComeBackAfterIt() {
    tracker.submit(job("poll").every(MINUTE).build());
    Assignment running = worker.takeOne();
    tracker.pause("poll");
    tracker.resume("poll");

    worker.report(running, Outcome.EXCEPTION);

    assertThat(ends("poll")).containsExactly("CANCELLED");
    assertThat(waiting("poll")).allMatch(row -> row.attempt() == 1);
  }

  @Test
  void jobWithoutAFireTimeLeftFinishes() {
    tracker.submit(job("poll").every(MINUTE).times(3).build());
    worker.succeed(worker.takeOne());
    tracker.pause("poll");
    time.pass(MINUTE.multipliedBy(5));

    assertThat(tracker.resume("poll").message()).isEqualTo("resumed; no fire time is left");

    time.pass(MINUTE);
    tracker.generate();
    assertThat(definition("poll").state()).isEqualTo(JobState.FINISHED);
    assertThat(ledger("poll")).hasSize(2).last().matches(row -> row.instants() == 2);
  }

  @Test
  void chainThatWaitedGoesOnWithOneTriggerAfterItsDelay() {
    tracker.submit(job("chain").fixedDelay(MINUTE).times(2).build());
    worker.succeed(worker.takeOne());
    tracker.pause("chain");
    time.pass(MINUTE.multipliedBy(7));

    tracker.resume("chain");

    assertThat(waiting("chain"))
        .singleElement()
        .matches(row -> row.plannedFor() == time.millis() + 60_000)
        .matches(row -> row.jobVersion() == definition("chain").version());
    assertThat(ends("chain")).as("no instants that never were").containsExactly("SUCCEEDED");
    time.pass(MINUTE);
    worker.succeed(worker.takeOne());
    assertThat(definition("chain").state()).as("twice in all").isEqualTo(JobState.FINISHED);
  }

  @Test
  void chainThatRunsAllTheWhileHasOneLiveTrigger() {
    tracker.submit(job("chain").fixedDelay(MINUTE).build());
    Assignment running = worker.takeOne();
    tracker.pause("chain");
    time.pass(MINUTE);

    ChangeResult answer = tracker.resume("chain");

    assertThat(answer)
        .isEqualTo(
            new ChangeResult(
                ChangeStatus.CHANGED, 1, "resumed; continues when the running execution ends"));
    assertThat(waiting("chain")).isEmpty();
    worker.succeed(running);
    assertThat(waiting("chain")).hasSize(1);
    assertThat(executing("chain")).isEmpty();
  }

  @Test
  void chainWhoseRunThrowsAfterPauseAndResumeGoesOnWithItsNextCycle() {
    tracker.submit(job("chain").fixedDelay(MINUTE).build());
    Assignment running = worker.takeOne();
    tracker.pause("chain");
    tracker.resume("chain");

    worker.report(running, Outcome.EXCEPTION);

    assertThat(ends("chain")).containsExactly("CANCELLED");
    assertThat(waiting("chain")).singleElement().matches(row -> row.attempt() == 1);
  }

  @Test
  void chainWhoseRunEndedDuringThePauseGoesOnWithOneTrigger() {
    tracker.submit(job("chain").every(MINUTE).relyOnPrevCycle(true).build());
    Assignment running = worker.takeOne();
    tracker.pause("chain");
    worker.succeed(running);
    time.pass(MINUTE.multipliedBy(3).plusMillis(1));

    tracker.resume("chain");

    assertThat(waiting("chain"))
        .singleElement()
        .matches(row -> row.plannedFor() == START.plus(MINUTE.multipliedBy(4)).toEpochMilli());
  }

  @Test
  void chainWhoseCountIsUsedUpFinishes() {
    tracker.submit(job("chain").fixedDelay(MINUTE).times(1).build());
    Assignment running = worker.takeOne();
    tracker.pause("chain");
    worker.succeed(running);

    assertThat(tracker.resume("chain").message()).isEqualTo("resumed; no fire time is left");

    time.pass(MINUTE);
    tracker.generate();
    assertThat(definition("chain").state()).isEqualTo(JobState.FINISHED);
  }

  @Test
  void resumeHappensWhollyOrNotAtAll() {
    tracker.submit(job("poll").every(MINUTE).build());
    worker.succeed(worker.takeOne());
    tracker.pause("poll");
    JobDefinition paused = definition("poll");
    time.pass(MINUTE.multipliedBy(3));
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);

    transactions.failNext(FaultyTransactions.Fault.ROLLED_BACK_OUT_OF_REACH);
    assertThatThrownBy(() -> shaky.resume("poll"))
        .hasCauseInstanceOf(UnknownOutcomeException.class);
    assertThat(definition("poll")).isEqualTo(paused);
    assertThat(waiting("poll")).isEmpty();
    assertThat(ends("poll")).containsExactly("SUCCEEDED");

    transactions.failNext(FaultyTransactions.Fault.COMMITTED_OUT_OF_REACH);
    assertThatThrownBy(() -> shaky.resume("poll"))
        .hasCauseInstanceOf(UnknownOutcomeException.class);
    assertThat(shaky.resume("poll").status()).as("asked again").isEqualTo(ChangeStatus.UNCHANGED);
    assertThat(ends("poll")).containsExactly("SUCCEEDED", "SKIPPED");
    assertThat(waiting("poll")).hasSize(10);
  }

  private LedgerEntry onlyEnd(String taskId) {
    assertThat(ledger(taskId)).hasSize(1);
    return ledger(taskId).get(0);
  }
}
