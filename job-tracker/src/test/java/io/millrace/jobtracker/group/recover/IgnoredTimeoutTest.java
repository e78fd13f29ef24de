package io.millrace.jobtracker.group.recover;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.TIMEOUT_GRACE;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.WORKER_LEASE;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.PullReply;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.FaultyTransactions.Fault;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker that does not time its invocations: the tracker does it then, some time later. */
class IgnoredTimeoutTest extends ServiceTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration BEAT = Duration.ofSeconds(1);

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  private Assignment takeSlow(int retries) {
    tracker.submit(job("slow").timeout(TIMEOUT).retry(RetryPolicy.retries(retries)).build());
    return worker.takeOne();
  }

  /** The worker pulls on and lists what it runs, and the tracker looks on its beat. */
  private PullReply runOn(HandDrivenTracker owner, HandDrivenWorker running, Duration duration) {
    PullReply last = running.beat();
    for (Duration left = duration; left.toMillis() > 0; left = left.minus(BEAT)) {
      owner.recoverFor(BEAT);
      last = running.beat();
    }
    return last;
  }

  private PullReply runOn(Duration duration) {
    return runOn(tracker, worker, duration);
  }

  @Test
  void workerThatLetsAnInvocationRunOnIsAskedToStopItAndThenLosesIt() {
    Assignment slow = takeSlow(3);

    PullReply inTime = runOn(TIMEOUT.plus(TIMEOUT_GRACE).minus(BEAT));
    assertThat(inTime.stopRequested()).isEmpty();

    PullReply told = runOn(BEAT);
    assertThat(told.stopRequested()).containsExactly(slow.executionId());
    assertThat(told.interrupt()).containsExactly(slow.executionId());
    assertThat(ends("slow")).isEmpty();

    PullReply lost = runOn(WORKER_LEASE);
    assertThat(lost.lost()).containsExactly(slow.executionId());
    assertThat(ledger("slow"))
        .singleElement()
        .matches(row -> row.status().name().equals("RETRIED") && !row.reported())
        .matches(row -> "TIMED_OUT_SECONDS 10, NOT_ENDED_BY_WORKER".equals(row.cause().encode()));
    assertThat(waiting("slow")).singleElement().matches(row -> row.attempt() == 2);
    assertThat(worker.succeed(slow)).isEqualTo(CompletionStatus.REFUSED);
    assertThat(waiting("slow")).hasSize(1);
  }

  @Test
  void whatHasNoAttemptLeftIsDead() {
    takeSlow(0);

    runOn(TIMEOUT.plus(TIMEOUT_GRACE).plus(WORKER_LEASE));

    assertThat(ledger("slow"))
        .singleElement()
        .matches(row -> row.status().name().equals("DEAD"))
        .matches(
            row ->
                "TIMED_OUT_SECONDS 10, NOT_ENDED_BY_WORKER, ATTEMPTS_USED_UP"
                    .equals(row.cause().encode()));
    assertThat(executing("slow")).isEmpty();
  }

  @Test
  void successBeforeTheEndCounts() {
    Assignment slow = takeSlow(0);
    runOn(TIMEOUT.plus(TIMEOUT_GRACE).plusSeconds(5));

    assertThat(worker.succeed(slow)).isEqualTo(CompletionStatus.ACCEPTED);
    runOn(WORKER_LEASE.multipliedBy(2));

    assertThat(ends("slow")).containsExactly("SUCCEEDED");
  }

  /** It would begin anew without end: an interrupted attempt does not count by itself. */
  @Test
  void whatIsInterruptedAfterItsTimeOutHasTimedOut() {
    Assignment slow = takeSlow(3);
    runOn(TIMEOUT.plus(TIMEOUT_GRACE));

    worker.report(interrupted(slow, null));

    assertThat(ledger("slow").get(0).cause()).isEqualTo(Cause.of(CauseCode.TIMED_OUT_SECONDS, 10));
    assertThat(waiting("slow")).singleElement().matches(row -> row.attempt() == 2);
  }

  @Test
  void whatIsInterruptedBeforeItsTimeOutIsNoAttempt() {
    Assignment slow = takeSlow(3);
    runOn(TIMEOUT.minus(BEAT));

    worker.report(interrupted(slow, null));

    assertThat(ends("slow")).containsExactly("RETURNED");
    assertThat(waiting("slow")).singleElement().matches(row -> row.attempt() == 1);
  }

  private ExecutionResult interrupted(Assignment slow, @Nullable Duration ran) {
    return new ExecutionResult(
        slow.executionId(),
        Outcome.INTERRUPTED,
        "stopped",
        null,
        List.of(),
        ran == null ? null : time.now().minus(ran),
        time.now());
  }

  @Test
  void whatHasNoTimeOutRunsAsLongAsItLikes() {
    tracker.submit(job("slow").build());
    worker.takeOne();

    PullReply reply = runOn(Duration.ofMinutes(10));

    assertThat(reply.stopRequested()).isEmpty();
    assertThat(executing("slow")).hasSize(1);
  }

  @Test
  void timeThatATriggerClaimedAheadWaitsDoesNotCount() {
    tracker = new HandDrivenTracker(1, stores, time, Duration.ofMillis(500));
    worker = tracker.worker("worker-1");
    tracker.submit(job("slow").at(inMillis(500)).timeout(TIMEOUT).build());
    tracker.load();
    worker.receive(worker.pull(1));
    assertThat(executing("slow")).hasSize(1);

    PullReply inTime = runOn(TIMEOUT.plus(TIMEOUT_GRACE).minus(BEAT));

    assertThat(inTime.stopRequested()).isEmpty();
    assertThat(runOn(BEAT.multipliedBy(2)).stopRequested()).hasSize(1);
  }

  @Test
  void newOwnerKeepsTheTimeOutAndGivesTheWorkerALeaseToReport() {
    Assignment slow = takeSlow(3);
    runOn(TIMEOUT.plus(TIMEOUT_GRACE).minus(Duration.ofSeconds(5)));
    HandDrivenTracker next = anotherTracker();
    next.adopt();
    HandDrivenWorker moved = worker.movedTo(next);

    PullReply reply = runOn(next, moved, WORKER_LEASE.minus(BEAT));
    assertThat(reply.stopRequested()).isEmpty();
    assertThat(runOn(next, moved, BEAT).stopRequested()).containsExactly(slow.executionId());
    runOn(next, moved, WORKER_LEASE);

    assertThat(ends("slow")).containsExactly("RETRIED");
    assertThat(moved.succeed(slow)).isEqualTo(CompletionStatus.REFUSED);
  }

  @Test
  void endThatCannotBeStoredIsTriedAgainALeaseLaterAndTheWorkersWordGoesBefore() {
    FaultyTransactions faulty = new FaultyTransactions(stores.transactions());
    tracker = new HandDrivenTracker(1, FaultyTransactions.around(stores, faulty), time);
    worker = tracker.worker("worker-1");
    Assignment slow = takeSlow(3);
    runOn(TIMEOUT.plus(TIMEOUT_GRACE).plus(WORKER_LEASE).minus(BEAT));

    faulty.failAll(Fault.UNREACHABLE);
    runOn(BEAT);
    faulty.failAll(Fault.NONE);
    assertThat(ends("slow")).isEmpty();

    runOn(Duration.ofSeconds(5));
    assertThat(worker.succeed(slow)).isEqualTo(CompletionStatus.ACCEPTED);
    runOn(WORKER_LEASE);
    assertThat(ends("slow")).containsExactly("SUCCEEDED");
  }
}
