package io.millrace.jobtracker.group.pull;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.OverlapPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.PullReply;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whether a trigger may run beside another is decided at its time, though it is claimed ahead. */
class EarlyTurnTest extends ServiceTest {
  private static final int AHEAD = 20;
  private static final Duration STEP = Duration.ofSeconds(10);

  private HandDrivenWorker worker;

  @BeforeEach
  void claimAhead() {
    tracker = new HandDrivenTracker(1, stores, time, Duration.ofMillis(AHEAD));
    worker = tracker.worker("worker-1");
  }

  private Assignment begin(OverlapPolicy policy) {
    tracker.submit(job("poll").every(STEP).times(3).overlap(policy).build());
    tracker.load();
    return worker.takeOne();
  }

  /** Passes the time until so long before the second fire time, with a slot to spare. */
  private CompletableFuture<PullReply> pullUntil(Assignment first, long before) {
    passTo(first.plannedFor().plus(STEP).toEpochMilli() - AHEAD - 1);
    tracker.load();
    CompletableFuture<PullReply> reply = worker.pull(1);
    passTo(first.plannedFor().plus(STEP).toEpochMilli() - before);
    return reply;
  }

  private void passTo(long millis) {
    time.pass(Duration.ofMillis(millis - time.millis()));
  }

  @Test
  void runThatEndsBeforeTheNextIsDueDoesNotMakeItSkipped() {
    Assignment first = begin(OverlapPolicy.skip());
    CompletableFuture<PullReply> reply = pullUntil(first, AHEAD / 2);

    worker.succeed(first);
    assertThat(reply).as("not before its time").isNotDone();
    time.pass(Duration.ofMillis(AHEAD / 2));

    assertThat(worker.receive(reply))
        .singleElement()
        .matches(next -> next.plannedFor().equals(first.plannedFor().plus(STEP)));
    assertThat(ends("poll")).containsExactly("SUCCEEDED");
  }

  @Test
  void runThatGoesOnMakesTheNextSkippedAtItsTime() {
    Assignment first = begin(OverlapPolicy.skip());
    pullUntil(first, 1);
    assertThat(ends("poll")).isEmpty();

    time.pass(Duration.ofMillis(1));

    assertThat(ledger("poll"))
        .singleElement()
        .matches(row -> row.status().name().equals("SKIPPED"))
        .matches(row -> row.times().finishedAt() >= row.plannedFor());
  }

  @Test
  void queueThatIsFullSkipsNothingBeforeItsTime() {
    Assignment first = begin(OverlapPolicy.queue(1));
    tracker.runNow("poll");
    tracker.load();
    assertThat(worker.take(1)).isEmpty();
    CompletableFuture<PullReply> reply = pullUntil(first, 1);
    assertThat(ends("poll")).isEmpty();

    worker.succeed(first);
    Assignment asked = worker.receive(reply).get(0);
    assertThat(asked.ordinal()).isPositive();
    time.pass(Duration.ofMillis(1));
    assertThat(worker.take(1)).isEmpty();

    assertThat(ledger("poll")).extracting(LedgerEntry::status).doesNotContain(LedgerStatus.SKIPPED);
    worker.succeed(asked);
    assertThat(worker.takeOne().plannedFor()).isEqualTo(first.plannedFor().plus(STEP));
  }

  /** Another tracker, whose clock is ahead, may have let it wait for its turn. */
  @Test
  void triggerThatIsCalledUpBeforeItsTimeWaitsForIt() {
    Assignment first = begin(OverlapPolicy.queue(1));
    long second = first.plannedFor().plus(STEP).toEpochMilli();
    byHand(
        "UPDATE jt_waiting_orders SET due_at = "
            + WaitingTrigger.HELD
            + " WHERE planned_for = "
            + second);
    byHand("UPDATE jt_job SET queued = 1");
    passTo(second - 2);

    worker.succeed(first);

    assertThat(waiting("poll"))
        .filteredOn(row -> row.plannedFor() == second)
        .singleElement()
        .matches(WaitingTrigger::begun)
        .matches(row -> row.dueAt() == second);
    CompletableFuture<PullReply> reply = worker.pull(1);
    tracker.load();
    time.pass(Duration.ofMillis(1));
    assertThat(reply).isNotDone();
    time.pass(Duration.ofMillis(1));
    assertThat(worker.receive(reply)).hasSize(1);
  }
}
