package io.millrace.jobtracker.group.pull;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.PullReply;
import io.millrace.jobtracker.fixture.FaultyTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What falls due in a moment is claimed already, and leaves at its time. */
class EarlyClaimTest extends ServiceTest {
  private static final int AHEAD = 20;
  private static final int PATIENCE = 250;

  private HandDrivenWorker worker;

  @BeforeEach
  void claimAhead() {
    tracker = new HandDrivenTracker(1, stores, time, Duration.ofMillis(AHEAD));
    worker = tracker.worker("worker-1");
  }

  private void pass(long millis) {
    time.pass(Duration.ofMillis(millis));
  }

  private static List<String> tasks(List<Assignment> assignments) {
    return assignments.stream().map(Assignment::taskId).toList();
  }

  @Test
  void triggerIsClaimedAheadAndLeavesInItsMillisecond() {
    tracker.submit(job("close").at(inMillis(100)).build());
    tracker.load();
    CompletableFuture<PullReply> reply = worker.pull(1);
    pass(79);
    assertThat(executing("close")).isEmpty();

    pass(1);
    assertThat(executing("close")).singleElement().matches(e -> e.claimedAt() == e.dueAt() - AHEAD);
    assertThat(waiting("close")).isEmpty();
    pass(AHEAD - 1);
    assertThat(reply).as("not before its time").isNotDone();
    pass(1);

    assertThat(reply).isCompletedWithValueMatching(it -> it.leasedAfterMillis() == 100);
    assertThat(tasks(worker.receive(reply))).containsExactly("close");
  }

  /** Its pull is free to take it along: only what is due takes a pull with it. */
  @Test
  void whatFallsDueWhileAnotherIsBeingClaimedLeavesInItsMillisecond() {
    AtomicReference<Runnable> duringTheClaim = new AtomicReference<>(() -> {});
    tracker =
        new HandDrivenTracker(
            1, SlowClaims.around(stores, duringTheClaim), time, Duration.ofMillis(AHEAD));
    worker = tracker.worker("worker-1");
    tracker.submit(job("first").at(inMillis(50)).build(), job("second").at(inMillis(65)).build());
    tracker.load();
    CompletableFuture<PullReply> reply = worker.pull(4);
    pass(30);
    assertThat(executing("first")).hasSize(1);

    AtomicBoolean leftInTime = new AtomicBoolean();
    duringTheClaim.set(
        () -> {
          pass(5);
          leftInTime.set(reply.isDone());
        });
    pass(20);

    assertThat(executing("second")).hasSize(1);
    assertThat(leftInTime).isTrue();
    assertThat(tasks(worker.receive(reply))).containsExactly("first");
    CompletableFuture<PullReply> next = worker.pull(4);
    pass(AHEAD);
    assertThat(tasks(worker.receive(next))).containsExactly("second");
  }

  @Test
  void nothingIsClaimedAheadWithoutAFreeSlot() {
    tracker.submit(job("close").at(inMillis(10)).build());
    tracker.load();
    pass(5);

    assertThat(executing("close")).isEmpty();
    assertThat(waiting("close")).hasSize(1);
  }

  @Test
  void slotOfWhatWasClaimedAheadIsNotGivenToAnother() {
    tracker.submit(job("soon").at(inMillis(10)).build());
    tracker.load();
    CompletableFuture<PullReply> reply = worker.pull(2);
    assertThat(executing("soon")).hasSize(1);
    assertThat(tracker.desk().freeSlots()).isEqualTo(1);

    tracker.submit(job("a").build(), job("b").build());
    tracker.load();

    assertThat(tasks(worker.receive(reply))).as("the other slot is taken").containsExactly("a");
    CompletableFuture<PullReply> next = worker.pull(1);
    assertThat(next).isNotDone();
    pass(10);
    assertThat(tasks(worker.receive(next))).containsExactly("soon");
    assertThat(waiting("b")).hasSize(1);
  }

  @Test
  void whatFellDueWhileNoPullWasParkedGoesWithTheNext() {
    tracker.submit(job("soon").at(inMillis(10)).build());
    tracker.load();
    CompletableFuture<PullReply> reply = worker.pull(2);
    tracker.submit(job("now").build());
    tracker.load();
    assertThat(tasks(worker.receive(reply))).containsExactly("now");

    pass(15);
    CompletableFuture<PullReply> next = worker.pull(1);

    assertThat(tasks(worker.receive(next))).containsExactly("soon");
  }

  /**
   * The pull that it was claimed for is answered and over: that says nothing of what waits here.
   */
  @Test
  void whatWaitsForItsTimeIsNotTakenForNeverReceived() {
    tracker.submit(job("soon").at(inMillis(15)).build());
    tracker.load();
    CompletableFuture<PullReply> reply = worker.pull(2);
    tracker.submit(job("now").build());
    tracker.load();
    worker.receive(reply);

    CompletableFuture<PullReply> next = worker.pull(1);
    pass(15);

    assertThat(worker.receive(next)).singleElement().matches(a -> a.attempt() == 1);
    assertThat(ends("soon")).isEmpty();
  }

  @Test
  void jobThatIsCancelledBeforeItsTimeDoesNotBegin() {
    tracker.submit(job("close").at(inMillis(10)).build());
    tracker.load();
    CompletableFuture<PullReply> reply = worker.pull(1);
    assertThat(executing("close")).hasSize(1);

    assertThat(tracker.cancel("close").found()).isTrue();
    pass(10);

    assertThat(worker.receive(reply)).isEmpty();
    assertThat(executing("close")).isEmpty();
    assertThat(waiting("close")).isEmpty();
    assertThat(ends("close")).containsExactly("CANCELLED");
    assertThat(ledger("close").get(0).times().claimedAt()).as("claimed").isNotNull();
    assertThat(ledger("close").get(0).times().startedAt()).as("never begun").isNull();
  }

  @Test
  void executionThatIsTerminatedBeforeItsTimeDoesNotBegin() {
    tracker.submit(job("close").at(inMillis(10)).build());
    tracker.load();
    CompletableFuture<PullReply> reply = worker.pull(1);

    tracker.terminate("close");
    pass(10);

    assertThat(worker.receive(reply)).isEmpty();
    assertThat(ends("close")).endsWith("CANCELLED");
    assertThat(waiting("close")).isEmpty();
  }

  @Test
  void whatAWorkerThatIsGoneWasToHaveGoesToAnotherOnTime() {
    tracker.submit(job("close").at(inMillis(10)).build());
    tracker.load();
    worker.pull(1);
    HandDrivenWorker other = tracker.worker("worker-2");

    tracker.desk().disconnected(worker.peer());
    time.run();
    CompletableFuture<PullReply> reply = other.pull(1);
    tracker.load();
    pass(9);
    assertThat(reply).as("not before its time").isNotDone();
    pass(1);

    assertThat(other.receive(reply)).singleElement().matches(a -> a.attempt() == 1);
  }

  @Test
  void retryThatComesBackFromAWorkerThatIsGoneWaitsUntilItsBackOffIsOver() {
    Duration delay = Duration.ofSeconds(1);
    tracker.submit(job("flaky").retry(RetryPolicy.retries(1).withDelays(delay, delay)).build());
    tracker.load();
    worker.report(worker.takeOne(), Outcome.EXCEPTION);
    long dueAt = waiting("flaky").get(0).dueAt();
    pass(dueAt - time.millis() - AHEAD);
    tracker.load();
    worker.pull(1);
    assertThat(executing("flaky")).hasSize(1);

    tracker.desk().disconnected(worker.peer());
    time.run();

    assertThat(waiting("flaky")).singleElement().matches(row -> row.dueAt() == dueAt);
  }

  @Test
  void whatItsWorkerDoesNotAskForGoesBackWithItsAttempt() {
    tracker.submit(job("close").at(inMillis(10)).build());
    tracker.load();
    CompletableFuture<PullReply> reply = worker.pull(2);
    tracker.submit(job("now").build());
    tracker.load();
    worker.receive(reply);

    pass(10 + PATIENCE);

    assertThat(executing("close")).isEmpty();
    assertThat(waiting("close")).singleElement().matches(row -> row.attempt() == 1);
  }

  @Test
  void claimAheadThatFailsIsTriedAgain() {
    FaultyTransactions faulty = new FaultyTransactions(stores.transactions());
    tracker =
        new HandDrivenTracker(
            1, FaultyTransactions.around(stores, faulty), time, Duration.ofMillis(AHEAD));
    worker = tracker.worker("worker-1");
    tracker.submit(job("close").at(inMillis(100)).build());
    tracker.load();
    CompletableFuture<PullReply> failing = worker.pull(1);
    faulty.failNext(FaultyTransactions.Fault.UNREACHABLE);
    pass(80);
    assertThat(failing).isCompletedWithValueMatching(told -> told.trouble() != null);

    CompletableFuture<PullReply> reply = worker.pull(1);
    pass(AHEAD);

    assertThat(tasks(worker.receive(reply))).containsExactly("close");
  }

  /** The next owner finds it waiting, and need not wait for a lease to run out. */
  @Test
  void deskThatPausesGivesBackWhatWaitsForItsTime() {
    tracker.submit(job("close").at(inMillis(10)).build());
    tracker.load();
    worker.pull(1);
    assertThat(executing("close")).hasSize(1);

    CompletableFuture<Void> paused = tracker.desk().pause();
    time.run();

    assertThat(paused).isCompleted();
    assertThat(executing("close")).isEmpty();
    assertThat(waiting("close")).singleElement().matches(row -> row.attempt() == 1);
  }
}
