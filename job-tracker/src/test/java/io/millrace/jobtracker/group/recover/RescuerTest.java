package io.millrace.jobtracker.group.recover;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.RECOVER_PERIOD;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.WORKER_LEASE;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.FaultyTransactions.Fault;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RescuerTest extends ServiceTest {
  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  @Test
  void silentWorkersExecutionIsRescuedOneLeaseAfterItsLastPull() {
    tracker.submit(job("close").build());
    worker.takeOne();
    time.pass(Duration.ofSeconds(4));
    tracker.recover();
    worker.beat();

    assertThat(tracker.recoverFor(WORKER_LEASE.minus(RECOVER_PERIOD))).isZero();
    assertThat(tracker.recoverFor(RECOVER_PERIOD)).isEqualTo(1);

    assertThat(ends("close")).containsExactly("RESCUED");
    Assignment again = tracker.worker("worker-2").takeOne();
    assertThat(again.attempt()).isEqualTo(2);
  }

  /** One variant of LTS counted from the creation of the job. */
  @Test
  void leaseRunsFromTheClaimHoweverLongTheJobHasWaited() {
    tracker.submit(job("old").build());
    time.pass(Duration.ofHours(5));
    tracker.recover();
    worker.takeOne();

    assertThat(tracker.recoverFor(WORKER_LEASE.minus(RECOVER_PERIOD))).isZero();
    assertThat(executing("old")).hasSize(1);
  }

  /** LTS did not count it: a job that killed its JVM was sent out for ever. */
  @Test
  void jobThatKillsEveryWorkerEndsDead() {
    tracker.submit(job("killer").retry(2).build());
    for (int i = 1; i <= 3; i++) {
      HandDrivenWorker victim = tracker.worker("victim-" + i);
      Assignment assignment = victim.takeOne();
      assertThat(assignment.attempt()).isEqualTo(i);
      time.pass(Duration.ofMillis(1));
      victim.beat();
      tracker.recoverFor(WORKER_LEASE.plus(RECOVER_PERIOD));
    }

    assertThat(ends("killer")).containsExactly("RESCUED", "RESCUED", "DEAD");
    assertThat(ledger("killer").get(2).cause())
        .isEqualTo(Cause.of(CauseCode.WORKER_LOST).and(Cause.of(CauseCode.ATTEMPTS_USED_UP)));
    assertThat(waiting("killer")).isEmpty();
  }

  /** Nobody knows what a silent worker has started. */
  @Test
  void workerThatFallsSilentBeforeItListsItsExecutionHasUsedAnAttempt() {
    tracker.submit(job("once").retry(RetryPolicy.NONE).build());
    worker.pull(1);
    tracker.load();

    tracker.recoverFor(WORKER_LEASE.plus(RECOVER_PERIOD));

    assertThat(ends("once")).containsExactly("DEAD");
  }

  @Test
  void executionThatItsWorkerListsIsNeverRescuedHoweverLongItRuns() {
    tracker.submit(job("long").build());
    Assignment running = worker.takeOne();
    for (int i = 0; i < 200; i++) {
      assertThat(tracker.recoverFor(Duration.ofSeconds(1))).isZero();
      worker.beat();
    }

    assertThat(worker.succeed(running)).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(ends("long")).containsExactly("SUCCEEDED");
  }

  /** LTS took a result that waited in the worker's own store for a dead job, and ran it again. */
  @Test
  void executionWhoseResultWaitsInItsWorkersOutboxIsStillHeld() {
    tracker.submit(job("close").build());
    Assignment done = worker.takeOne();
    for (int i = 0; i < 60; i++) {
      tracker.recoverFor(Duration.ofSeconds(1));
      worker.beat();
    }

    assertThat(worker.succeed(done)).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(ends("close")).containsExactly("SUCCEEDED");
  }

  /** The workers may have been unable to renew for the same reason, such as a stopped JVM. */
  @Test
  void rescuerThatIsItselfLateGivesEveryLeaseItsFullLengthAgain() {
    tracker.submit(job("close").build());
    worker.takeOne();
    time.pass(WORKER_LEASE.multipliedBy(3));

    assertThat(tracker.recover()).isZero();
    worker.beat();
    assertThat(tracker.recoverFor(WORKER_LEASE.minus(RECOVER_PERIOD))).isZero();

    assertThat(executing("close")).hasSize(1);
    assertThat(tracker.recoverFor(RECOVER_PERIOD)).isEqualTo(1);
  }

  /** LTS judged by each node's own clock. */
  @Test
  void leasesDoNotRunByTheClockOfTheDay() {
    tracker.submit(job("close").build());
    worker.takeOne();
    time.setClock(time.now().plus(Duration.ofDays(1)));
    assertThat(tracker.recoverFor(Duration.ofSeconds(5))).isZero();
    worker.beat();
    time.setClock(time.now().minus(Duration.ofDays(2)));

    assertThat(tracker.recoverFor(WORKER_LEASE.minus(RECOVER_PERIOD))).isZero();
    assertThat(tracker.recoverFor(RECOVER_PERIOD)).isEqualTo(1);
  }

  @Test
  void successorWaitsOneWholeLeaseBeforeItRescues() {
    tracker.submit(job("close").build());
    worker.takeOne();
    time.pass(Duration.ofSeconds(10));
    HandDrivenTracker successor = anotherTracker();

    assertThat(successor.adopt()).isEqualTo(1);
    assertThat(successor.recoverFor(WORKER_LEASE.minus(RECOVER_PERIOD))).isZero();
    assertThat(successor.recoverFor(RECOVER_PERIOD)).isEqualTo(1);
    assertThat(ends("close")).containsExactly("RESCUED");
  }

  @Test
  void workerGoesOnUnderTheSuccessorAsIfNothingHadHappened() {
    tracker.submit(job("close").build());
    Assignment running = worker.takeOne();
    HandDrivenTracker successor = anotherTracker();
    successor.adopt();
    HandDrivenWorker moved = worker.movedTo(successor);
    for (int i = 0; i < 40; i++) {
      moved.beat();
      assertThat(successor.recoverFor(Duration.ofSeconds(1))).isZero();
    }

    assertThat(moved.succeed(running)).isEqualTo(CompletionStatus.ACCEPTED);
  }

  /** Two trackers that both believe they own the group, as after a partition. */
  @Test
  void trackerThatHasLostItsEpochRescuesNothing() {
    tracker.submit(job("close").build());
    worker.takeOne();
    HandDrivenTracker successor = anotherTracker();
    successor.adopt();
    HandDrivenWorker moved = worker.movedTo(successor);
    for (int i = 0; i < 40; i++) {
      time.pass(Duration.ofSeconds(1));
      moved.beat();
      tracker.recover();
      successor.recover();
    }

    assertThat(executing("close")).hasSize(1);
    assertThat(ends("close")).isEmpty();
  }

  @Test
  void trackerThatHasLostItsEpochGivesNothingBackEither() {
    tracker.submit(job("close").build());
    worker.pull(1);
    tracker.load();
    HandDrivenTracker successor = anotherTracker();
    successor.adopt();

    worker.beat();
    time.run();

    assertThat(executing("close")).hasSize(1);
    assertThat(ends("close")).isEmpty();
  }

  /** LTS looked first and acted then: what completed between was queued again. */
  @Test
  void resultThatArrivesBeforeTheRescueCommitsWins() {
    tracker.submit(job("close").build());
    Assignment running = worker.takeOne();
    HandDrivenTracker other = anotherTracker();
    tracker.recoverFor(WORKER_LEASE.minus(RECOVER_PERIOD));
    time.pass(RECOVER_PERIOD);
    worker.movedTo(other).succeed(running);

    tracker.recover();

    assertThat(ends("close")).containsExactly("SUCCEEDED");
    assertThat(waiting("close")).isEmpty();
    assertThat(tracker.group().leases().size()).as("nothing is left to watch").isZero();
  }

  @Test
  void rescueThatFailsIsTriedAgain() {
    FaultyTransactions transactions = new FaultyTransactions(stores.transactions());
    HandDrivenTracker shaky =
        new HandDrivenTracker(3, FaultyTransactions.around(stores, transactions), time);
    HandDrivenWorker its = shaky.worker("worker-1");
    shaky.submit(job("close").build());
    its.takeOne();
    transactions.failAll(Fault.UNREACHABLE);
    assertThat(shaky.recoverFor(WORKER_LEASE.plusSeconds(3))).isPositive();
    assertThat(ends("close")).isEmpty();
    transactions.failAll(Fault.NONE);

    shaky.recoverFor(RECOVER_PERIOD);

    assertThat(ends("close")).containsExactly("RESCUED");
    assertThat(shaky.recoverFor(Duration.ofSeconds(3))).isZero();
  }

  /** LTS restarted its checkers never, once their node had lost its mastership. */
  @Test
  void trackerThatBecomesOwnerAgainRescuesAgain() {
    tracker.submit(job("close").build());
    worker.takeOne();
    anotherTracker().adopt();
    HandDrivenTracker again = new HandDrivenTracker(1, stores, time);
    again.adopt();

    again.recoverFor(WORKER_LEASE.plus(RECOVER_PERIOD));

    assertThat(ends("close")).containsExactly("RESCUED");
  }
}
