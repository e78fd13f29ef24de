package io.millrace.jobtracker.submit;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.SubmitResult;
import io.millrace.api.SubmitStatus;
import io.millrace.internal.model.Assignment;
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
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReplaceTest extends ServiceTest {

  @Test
  void oneShotReplacesAWaitingOneShot() {
    tracker.submit(job("close").at(inMillis(5_000)).param("n", "1").build());
    WaitingTrigger before = waiting("close").get(0);

    SubmitResult result = tracker.submit(replacing("close").at(inMillis(9_000)).build());

    assertThat(result).isEqualTo(SubmitResult.replaced("close"));
    assertThat(waiting("close"))
        .singleElement()
        .satisfies(row -> assertThat(row.dueAt()).isEqualTo(time.millis() + 9_000))
        .satisfies(row -> assertThat(row.id()).isGreaterThan(before.id()));
    LedgerEntry ended = onlyEnd("close");
    assertThat(ended.status()).isEqualTo(LedgerStatus.CANCELLED);
    assertThat(ended.cause()).isEqualTo(Cause.of(CauseCode.REPLACED));
    assertThat(ended.attempt()).isZero();
  }

  @Test
  void replacingWhereNothingLivesIsAnOrdinarySubmit() {
    assertThat(tracker.submit(replacing("close").build()).status())
        .isEqualTo(SubmitStatus.ACCEPTED);
    assertThat(tracker.submit(replacing("poll").every(Duration.ofMinutes(1)).build()).status())
        .isEqualTo(SubmitStatus.ACCEPTED);
  }

  @Test
  void oneShotReplacesARetryThatWaits() {
    HandDrivenWorker worker = tracker.worker("worker-1");
    tracker.submit(job("close").build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);

    assertThat(tracker.submit(replacing("close").build()).status())
        .isEqualTo(SubmitStatus.REPLACED);

    assertThat(ends("close")).containsExactly("RETRIED", "CANCELLED");
    assertThat(ledger("close").get(1).attempt()).as("the attempt it had had").isEqualTo(1);
    assertThat(worker.takeOne().attempt()).isEqualTo(1);
  }

  @Test
  void recurringJobReplacesARecurringJobAndKeepsItsId() {
    tracker.submit(job("poll").every(Duration.ofMinutes(3)).build());
    JobDefinition before = definition("poll");
    tracker.worker("worker-1").succeed(tracker.worker("worker-1").takeOne());
    time.pass(Duration.ofMillis(1));

    SubmitResult result = tracker.submit(replacing("poll").every(Duration.ofMinutes(4)).build());

    assertThat(result).isEqualTo(SubmitResult.replaced("poll"));
    JobDefinition after = definition("poll");
    assertThat(after.id()).isEqualTo(before.id());
    assertThat(after.version()).isEqualTo(before.version() + 1);
    assertThat(waiting("poll")).hasSize(3).allMatch(row -> row.jobVersion() == after.version());
    assertThat(ends("poll")).as("instants yet to come leave no trace").containsExactly("SUCCEEDED");
  }

  @Test
  void triggersWhoseInstantIsPastAreCancelledByTheReplacement() {
    tracker.submit(job("poll").every(Duration.ofMinutes(1)).build());
    time.pass(Duration.ofSeconds(61));

    tracker.submit(replacing("poll").every(Duration.ofMinutes(1)).build());

    assertThat(ledger("poll"))
        .extracting(LedgerEntry::status, LedgerEntry::cause)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                LedgerStatus.CANCELLED, Cause.of(CauseCode.REPLACED)),
            org.assertj.core.groups.Tuple.tuple(
                LedgerStatus.CANCELLED, Cause.of(CauseCode.REPLACED)));
  }

  @Test
  void oneShotReplacesARecurringJob() {
    tracker.submit(job("poll").every(Duration.ofMinutes(3)).at(inMillis(60_000)).build());

    SubmitResult result = tracker.submit(replacing("poll").at(inMillis(5_000)).build());

    assertThat(result).isEqualTo(SubmitResult.replaced("poll"));
    assertThat(definition("poll").state()).isEqualTo(JobState.CANCELLED);
    assertThat(waiting("poll"))
        .singleElement()
        .satisfies(row -> assertThat(row.isOfRecurringJob()).isFalse());
  }

  @Test
  void instantOfTheVeryMillisecondOfAOneShotIsRecorded() {
    tracker.submit(job("poll").every(Duration.ofMinutes(1)).build());
    tracker.pause("poll", "because");
    time.pass(Duration.ofMinutes(2));

    tracker.submit(replacing("poll").at(inMillis(5_000)).build());

    assertThat(ledger("poll").stream().mapToLong(LedgerEntry::instants).sum())
        .as("of the start, after one minute and after two: no next version runs the last one")
        .isEqualTo(3);
  }

  @Test
  void recurringJobReplacesAWaitingOneShot() {
    tracker.submit(job("poll").at(inMillis(5_000)).build());

    SubmitResult result = tracker.submit(replacing("poll").every(Duration.ofMinutes(3)).build());

    assertThat(result).isEqualTo(SubmitResult.replaced("poll"));
    assertThat(waiting("poll")).hasSize(4).allMatch(WaitingTrigger::isOfRecurringJob);
    assertThat(onlyEnd("poll").status()).isEqualTo(LedgerStatus.CANCELLED);
  }

  @Test
  void withoutLeaveToReplaceEachKindIsADuplicateOfTheOther() {
    tracker.submit(job("one").at(inMillis(5_000)).build());
    tracker.submit(job("many").every(Duration.ofMinutes(3)).build());

    assertThat(tracker.submit(job("one").every(Duration.ofMinutes(3)).build()).message())
        .isEqualTo("a one-shot of this task id is waiting");
    assertThat(tracker.submit(job("many").build()).message())
        .isEqualTo("a recurring job of this task id is ACTIVE");
    assertThat(waiting("one")).hasSize(1);
    assertThat(waiting("many")).hasSize(4);
  }

  @Test
  void executingOneShotIsNotReplacedByARecurringJob() {
    tracker.submit(job("close").build());
    tracker.worker("worker-1").takeOne();

    SubmitResult result = tracker.submit(replacing("close").every(Duration.ofMinutes(3)).build());

    assertThat(result.status()).isEqualTo(SubmitStatus.DUPLICATE);
    assertThat(stores.jobs().find(GROUP, "close")).isEmpty();
    assertThat(waiting("close")).isEmpty();
  }

  @Test
  void executingTriggerOfARecurringJobKeepsAOneShotOut() {
    tracker.submit(job("poll").every(Duration.ofMinutes(3)).build());
    tracker.worker("worker-1").takeOne();

    assertThat(tracker.submit(replacing("poll").build()).status())
        .isEqualTo(SubmitStatus.DUPLICATE);
    assertThat(definition("poll").state()).isEqualTo(JobState.ACTIVE);
    assertThat(waiting("poll")).hasSize(3);
  }

  @Test
  void recurringJobIsReplacedWhileOneOfItsTriggersExecutesWhichThenEndsInItsOwnWay() {
    HandDrivenWorker worker = tracker.worker("worker-1");
    tracker.submit(job("poll").every(Duration.ofMinutes(3)).build());
    Assignment running = worker.takeOne();
    time.pass(Duration.ofSeconds(1));

    assertThat(tracker.submit(replacing("poll").every(Duration.ofMinutes(4)).build()).status())
        .isEqualTo(SubmitStatus.REPLACED);
    worker.succeed(running);

    assertThat(onlyEnd("poll").status()).isEqualTo(LedgerStatus.SUCCEEDED);
    assertThat(waiting("poll")).hasSize(3).allMatch(row -> row.jobVersion() == 2);
  }

  /** LTS deleted from three tables and then inserted: a crash between lost the job. */
  @Test
  void replacingHappensWhollyOrNotAtAll() {
    tracker.submit(job("poll").every(Duration.ofMinutes(3)).build());
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
    JobDefinition before = definition("poll");
    transactions.failNext(FaultyTransactions.Fault.ROLLED_BACK_OUT_OF_REACH);

    shaky.submit(replacing("poll").every(Duration.ofMinutes(4)).build());

    assertThat(definition("poll")).isEqualTo(before);
    assertThat(waiting("poll")).hasSize(4);
  }

  @Test
  void clientIsToldThatItsJobWasReplaced() {
    tracker.submit(job("close").at(inMillis(5_000)).feedback(true).build());

    tracker.submit(replacing("close").at(inMillis(5_000)).build());

    assertThat(stores.feedback().read("shop", Long.MIN_VALUE, 10))
        .singleElement()
        .satisfies(told -> assertThat(told.result().message()).isEqualTo("replaced"));
    assertThat(tracker.signals().feedback()).isEqualTo(1);
  }

  /** A partial edit of LTS flipped relyOnPrevCycle, because what was not sent meant true. */
  @Test
  void replacementIsTheWholeJobAndTakesNothingOverFromTheOneBefore() {
    tracker.submit(
        job("poll")
            .cron("0 * * * * ?")
            .relyOnPrevCycle(true)
            .handler("old")
            .priority(7)
            .retry(9)
            .feedback(true)
            .build());

    time.pass(Duration.ofMillis(1));
    tracker.submit(replacing("poll").cron("0 * * * * ?").build());

    JobDefinition after = definition("poll");
    assertThat(after.spec().chained()).isFalse();
    assertThat(after.spec().handler()).isNull();
    assertThat(after.spec().retry().maxRetries()).isEqualTo(3);
    assertThat(after.spec().feedback()).isFalse();
    assertThat(after.priority()).isEqualTo(100);
    assertThat(waiting("poll")).hasSize(10);
  }

  private LedgerEntry onlyEnd(String taskId) {
    assertThat(ledger(taskId)).hasSize(1);
    return ledger(taskId).get(0);
  }

  private static Job.Builder replacing(String taskId) {
    return job(taskId).replaceExisting(true);
  }
}
