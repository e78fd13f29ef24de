package io.millrace.jobtracker.complete;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs of which exactly one trigger lives, the next written by the end of the one before. */
class ChainedTriggersTest extends ServiceTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  @Test
  void fixedDelayCountsFromTheRecordedEnd() {
    tracker.submit(job("chain").fixedDelay(MINUTE).build());
    Assignment first = worker.takeOne();
    assertLivesOnce("chain");
    time.pass(Duration.ofSeconds(7));
    worker.succeed(first);

    assertThat(next("chain").dueAt()).isEqualTo(time.millis() + 60_000);
    assertLivesOnce("chain");
  }

  @Test
  void fixedDelayCountsFromTheEndOfTheLastRetry() {
    tracker.submit(job("chain").fixedDelay(MINUTE).retry(1).build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    assertLivesOnce("chain");
    time.pass(Duration.ofSeconds(5));
    worker.report(worker.takeOne(), Outcome.EXCEPTION);

    assertThat(ends("chain")).containsExactly("RETRIED", "DEAD");
    assertThat(next("chain").dueAt()).isEqualTo(time.millis() + 60_000);
  }

  @Test
  void jobThatReliesOnItsPreviousCycleLeavesOutTheInstantsThatPassDuringARun() {
    tracker.submit(job("rely").every(MINUTE).relyOnPrevCycle(true).build());
    Assignment first = worker.takeOne();
    time.pass(Duration.ofSeconds(150));
    worker.succeed(first);

    assertThat(next("rely").plannedFor()).isEqualTo(first.plannedFor().toEpochMilli() + 180_000);
    assertLivesOnce("rely");
  }

  @Test
  void cronThatReliesOnItsPreviousCycleGoesOnByItsExpression() {
    tracker.submit(job("rely").cron("0 0/5 * * * ?").relyOnPrevCycle(true).build());
    worker.succeed(worker.takeOne());

    assertThat(next("rely").plannedFor()).isEqualTo(time.millis() + 300_000);
  }

  @Test
  void everyWayToEndContinuesTheChain() {
    tracker.submit(job("chain").fixedDelay(Duration.ofSeconds(1)).retry(RetryPolicy.NONE).build());
    for (Outcome outcome :
        new Outcome[] {Outcome.SUCCESS, Outcome.FAILED, Outcome.EXCEPTION, Outcome.UNKNOWN}) {
      worker.report(worker.takeOne(), outcome);
      assertLivesOnce("chain");
      time.pass(Duration.ofSeconds(1));
    }
    worker.takeOne();
    tracker.recoverFor(Duration.ofSeconds(20));

    assertThat(ends("chain")).containsExactly("SUCCEEDED", "FAILED", "DEAD", "DEAD", "DEAD");
    assertLivesOnce("chain");
  }

  @Test
  void whatGoesBackToWaitingIsTheOneThatLives() {
    tracker.submit(job("chain").fixedDelay(Duration.ofSeconds(1)).build());
    for (Outcome outcome :
        new Outcome[] {
          Outcome.EXCEPTION,
          Outcome.LATER,
          Outcome.INTERRUPTED,
          Outcome.NOT_STARTED,
          Outcome.UNKNOWN_HANDLER
        }) {
      Assignment assignment = worker.takeOne();
      worker.report(assignment, outcome);
      assertLivesOnce("chain");
      assertThat(next("chain").plannedFor()).isEqualTo(assignment.plannedFor().toEpochMilli());
      time.pass(Duration.ofSeconds(6));
    }
  }

  /** LTS did not count a run that succeeded on a retry, and ran too often. */
  @Test
  void countedChainFiresThatOftenHoweverManyRetriesItTakes() {
    tracker.submit(job("chain").fixedDelay(Duration.ofSeconds(1)).times(3).retry(2).build());
    for (int fire = 1; fire <= 3; fire++) {
      assertThat(definition("chain").state()).isEqualTo(JobState.ACTIVE);
      worker.report(worker.takeOne(), Outcome.EXCEPTION);
      time.pass(Duration.ofSeconds(2));
      worker.succeed(worker.takeOne());
      time.pass(Duration.ofSeconds(1));
    }

    assertThat(waiting("chain")).isEmpty();
    assertThat(ends("chain"))
        .containsExactly("RETRIED", "SUCCEEDED", "RETRIED", "SUCCEEDED", "RETRIED", "SUCCEEDED");
    assertThat(definition("chain").state()).isEqualTo(JobState.FINISHED);
  }

  /** Else its retry would find a job that is over, and end CANCELLED. */
  @Test
  void chainIsNotOverWhileARunOnRequestMayHaveToBeRepeated() {
    tracker.submit(job("chain").fixedDelay(MINUTE).times(1).retry(2).build());
    Assignment last = worker.takeOne();
    tracker.runNow("chain");
    worker.succeed(last);
    assertThat(definition("chain").state()).isEqualTo(JobState.ACTIVE);
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    time.pass(MINUTE);
    worker.succeed(worker.takeOne());
    time.pass(MINUTE);
    tracker.generate();

    assertThat(ends("chain")).containsExactly("SUCCEEDED", "RETRIED", "SUCCEEDED");
    assertThat(definition("chain").state()).isEqualTo(JobState.FINISHED);
  }

  /** The count of a chained repetition is of runs: what a long run leaves out is not lost to it. */
  @Test
  void countedRepetitionThatReliesOnItsPreviousCycleRunsThatOften() {
    tracker.submit(job("rely").every(MINUTE).times(3).relyOnPrevCycle(true).build());
    for (int fire = 1; fire <= 3; fire++) {
      Assignment assignment = worker.takeOne();
      time.pass(Duration.ofSeconds(130));
      worker.succeed(assignment);
      time.pass(MINUTE);
    }

    assertThat(ends("rely")).containsExactly("SUCCEEDED", "SUCCEEDED", "SUCCEEDED");
    assertThat(definition("rely").state()).isEqualTo(JobState.FINISHED);
    assertThat(waiting("rely")).isEmpty();
  }

  /** LTS lost the chain for good when its job was deleted and added again during a run. */
  @Test
  void jobThatIsEditedWhileItRunsStaysScheduled() {
    tracker.submit(job("chain").fixedDelay(MINUTE).build());
    Assignment running = worker.takeOne();
    time.pass(Duration.ofSeconds(1));
    tracker.submit(replacing(job("chain").fixedDelay(Duration.ofMinutes(5))));
    assertLivesOnce("chain");

    worker.succeed(running);

    assertLivesOnce("chain");
    assertThat(next("chain").jobVersion()).isEqualTo(2);
    assertThat(next("chain").dueAt()).isEqualTo(time.millis() + 300_000);
  }

  @Test
  void jobThatIsEditedWhileItRunsStaysScheduledHoweverTheRunEnds() {
    for (Outcome outcome : Outcome.values()) {
      String taskId = "chain-" + outcome;
      tracker.submit(job(taskId).fixedDelay(MINUTE).build());
      Assignment running = worker.takeOne();
      time.pass(Duration.ofSeconds(1));
      tracker.submit(replacing(job(taskId).every(MINUTE).relyOnPrevCycle(true)));

      worker.report(running, outcome);

      assertLivesOnce(taskId);
      assertThat(next(taskId).jobVersion()).as(taskId).isEqualTo(2);
      tracker.cancel(taskId);
    }
  }

  @Test
  void jobThatIsEditedWhileItRunsKeepsTheStartOfItsNewDefinition() {
    tracker.submit(job("chain").fixedDelay(MINUTE).build());
    Assignment running = worker.takeOne();
    long tomorrow = time.millis() + Duration.ofDays(1).toMillis();
    tracker.submit(replacing(job("chain").fixedDelay(MINUTE).at(inMillis(86_400_000))));

    worker.succeed(running);

    assertThat(next("chain").dueAt()).isEqualTo(tomorrow);
  }

  @Test
  void jobThatIsCancelledAndSubmittedAnewWhileItRunsStaysScheduled() {
    tracker.submit(job("chain").fixedDelay(MINUTE).build());
    Assignment running = worker.takeOne();
    time.pass(Duration.ofSeconds(1));
    tracker.cancel("chain");
    tracker.submit(job("chain").fixedDelay(MINUTE).build());

    worker.succeed(running);

    assertLivesOnce("chain");
    assertThat(definition("chain").state()).isEqualTo(JobState.ACTIVE);
  }

  @Test
  void jobThatIsEditedFromOneKindToTheOtherWhileItRunsHasTheTriggersOfItsNewKind() {
    tracker.submit(job("toGenerated").fixedDelay(MINUTE).build());
    Assignment chained = worker.takeOne();
    tracker.submit(job("toChained").every(Duration.ofMinutes(5)).build());
    Assignment generated = worker.takeOne();
    time.pass(Duration.ofSeconds(1));

    tracker.submit(replacing(job("toGenerated").every(Duration.ofMinutes(5))));
    tracker.submit(replacing(job("toChained").fixedDelay(MINUTE)));
    assertThat(waiting("toGenerated")).hasSize(2 + 1);
    assertThat(waiting("toChained")).hasSize(1);
    worker.succeed(chained);
    worker.succeed(generated);

    assertThat(waiting("toGenerated")).hasSize(2 + 1);
    assertThat(waiting("toChained")).hasSize(1);
  }

  @Test
  void jobThatIsEditedWhileItsRetryWaitsStartsAnew() {
    tracker.submit(job("chain").fixedDelay(MINUTE).build());
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    time.pass(Duration.ofMillis(1));

    tracker.submit(replacing(job("chain").fixedDelay(MINUTE)));

    assertLivesOnce("chain");
    assertThat(next("chain").attempt()).isEqualTo(1);
    assertThat(ends("chain")).containsExactly("RETRIED", "CANCELLED");
  }

  /** The end of one run and the beginning of the next are one transaction. */
  @Test
  void chainSurvivesEveryFault() {
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
    HandDrivenWorker its = shaky.worker("worker-9");
    shaky.submit(job("chain").fixedDelay(Duration.ofSeconds(1)).build());
    Random random = new Random(5);
    FaultyTransactions.Fault[] faults = FaultyTransactions.Fault.values();
    for (int run = 0; run < 40; run++) {
      Assignment assignment = its.takeOne();
      boolean answered = false;
      while (!answered) {
        transactions.failNext(faults[random.nextInt(faults.length)]);
        answered = tryToSucceed(its, assignment);
      }
      transactions.failNext(FaultyTransactions.Fault.NONE);
      assertLivesOnce("chain");
      time.pass(Duration.ofSeconds(1));
    }
    assertThat(ends("chain")).hasSize(40).containsOnly("SUCCEEDED");
  }

  private static boolean tryToSucceed(HandDrivenWorker worker, Assignment assignment) {
    try {
      worker.succeed(assignment);
      return true;
    } catch (CompletionException notNow) {
      return false;
    }
  }

  private void assertLivesOnce(String taskId) {
    assertThat(waiting(taskId).size() + executing(taskId).size())
        .as("live triggers of %s", taskId)
        .isEqualTo(1);
  }

  private WaitingTrigger next(String taskId) {
    assertThat(waiting(taskId)).hasSize(1);
    return waiting(taskId).get(0);
  }

  private static Job replacing(Job.Builder job) {
    return job.replaceExisting(true).build();
  }
}
