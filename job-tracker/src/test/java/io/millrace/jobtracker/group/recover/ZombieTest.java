package io.millrace.jobtracker.group.recover;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.RECOVER_PERIOD;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.WORKER_LEASE;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.PullReply;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers that come back after their executions were taken from them. */
class ZombieTest extends ServiceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private HandDrivenWorker zombie;
  private Assignment running;

  @BeforeEach
  void runOneJob() {
    zombie = tracker.worker("zombie");
    tracker.submit(job("close").retry(RetryPolicy.retries(5)).build());
    running = zombie.takeOne();
    zombie.beat();
  }

  private void rescue() {
    tracker.recoverFor(WORKER_LEASE.plus(RECOVER_PERIOD));
    assertThat(ends("close")).containsExactly("RESCUED");
  }

  @Test
  void zombieIsToldAtOnceItsLateResultIsRefusedAndTheNextAttemptCounts() {
    rescue();
    Assignment next = tracker.worker("worker-2").takeOne();

    CompletableFuture<PullReply> first = zombie.pull(3);
    assertThat(first).as("not parked").isCompleted();
    assertThat(first.join().lost()).containsExactly(running.executionId());
    assertThat(first.join().stopRequested()).isEmpty();
    assertThat(zombie.succeed(running)).isEqualTo(CompletionStatus.REFUSED);

    assertThat(next.attempt()).isEqualTo(2);
    assertThat(tracker.worker("worker-2").succeed(next)).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(ends("close")).containsExactly("RESCUED", "SUCCEEDED");
    assertThat(zombie.beat().lost()).isEmpty();
  }

  @Test
  void zombieThatListsOnIsParkedLikeOthersOnceItWasTold() {
    rescue();
    tracker.worker("worker-2").takeOne();
    time.pass(Duration.ofMillis(10));
    assertThat(zombie.pull(3)).isCompleted();

    CompletableFuture<PullReply> second = zombie.pull(3);

    assertThat(second).isNotDone();
    time.pass(HandDrivenTracker.PARK_TIME);
    assertThat(second.join().lost()).containsExactly(running.executionId());
  }

  @Test
  void workerThatIsHeardInTimeLosesNothing() {
    time.pass(WORKER_LEASE.minusMillis(1));
    zombie.beat();
    tracker.recoverFor(PATIENCE.multipliedBy(2));

    assertThat(zombie.beat().lost()).isEmpty();
    assertThat(zombie.succeed(running)).isEqualTo(CompletionStatus.ACCEPTED);
  }

  @Test
  void ownerThatIsNotCertainOfItsGroupRenewsNoWorkersOwnView() {
    assertThat(zombie.beat().leaseMillis()).isEqualTo(WORKER_LEASE.toMillis());

    tracker.knowsThatItOwns(false);

    assertThat(zombie.beat().leaseMillis()).isEqualTo(PullReply.RENEWS_NOTHING);
  }

  /** The tracker that took the execution away is gone, and its memory with it. */
  @Test
  void trackerThatDidNotRescueItselfAsksTheTable() {
    rescue();
    HandDrivenTracker another = anotherTracker();
    another.adopt();
    HandDrivenWorker moved = zombie.movedTo(another);

    assertThat(moved.beat().lost()).as("it may just have ended").isEmpty();
    time.pass(PATIENCE);
    assertThat(moved.beat().lost()).as("the table is being asked").isEmpty();
    CompletableFuture<PullReply> told = moved.pull(3);
    assertThat(told).isCompleted();
    assertThat(told.join().lost()).containsExactly(running.executionId());
  }

  @Test
  void executionThatTheTableKnowsIsAdoptedInsteadOfBeingCalledLost() {
    HandDrivenTracker another = anotherTracker();
    HandDrivenWorker moved = zombie.movedTo(another);
    tracker.terminate("close");

    moved.beat();
    time.pass(PATIENCE);
    moved.beat();

    assertThat(another.group().leases().size()).isEqualTo(1);
    assertThat(moved.beat().lost()).isEmpty();
    assertThat(moved.beat().interrupt()).containsExactly(running.executionId());
  }

  @Test
  void whatEndsByItsWorkersOwnReportIsNotLost() {
    zombie.pull(1);
    assertThat(zombie.succeed(running)).isEqualTo(CompletionStatus.ACCEPTED);

    assertThat(zombie.beat().lost()).isEmpty();
    time.pass(PATIENCE);
    assertThat(zombie.beat().lost()).isEmpty();
  }

  /** The worker feared for its lease before the tracker had given it up: nothing is used up. */
  @Test
  void resultOfALostLeaseThatStillStoodIsAnInterruption() {
    assertThat(zombie.report(running, Outcome.LEASE_LOST)).isEqualTo(CompletionStatus.ACCEPTED);

    assertThat(ends("close")).containsExactly("RETURNED");
    assertThat(ledger("close").get(0).cause()).isEqualTo(Cause.of(CauseCode.LEASE_RUNNING_OUT));
    assertThat(tracker.worker("worker-2").takeOne().attempt()).isEqualTo(1);
  }

  @Test
  void resultOfALostLeaseThatDidNotStandIsRefused() {
    rescue();

    assertThat(zombie.report(running, Outcome.LEASE_LOST)).isEqualTo(CompletionStatus.REFUSED);

    assertThat(ends("close")).containsExactly("RESCUED");
  }

  /** An interruption that was told is an end: nothing is left that could be rescued. */
  @Test
  void workerThatDiesRightAfterItsShutdownWasToldUsesUpNothing() {
    zombie.report(running, Outcome.INTERRUPTED);

    tracker.recoverFor(WORKER_LEASE.multipliedBy(2));

    assertThat(ends("close")).containsExactly("RETURNED");
    assertThat(tracker.worker("worker-2").takeOne().attempt()).isEqualTo(1);
  }
}
