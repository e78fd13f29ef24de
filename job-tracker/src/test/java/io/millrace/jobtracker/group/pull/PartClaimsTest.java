package io.millrace.jobtracker.group.pull;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.PullReply;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Parts are claimed many at a time, and the pull whose slots they take stays parked meanwhile, for
 * what falls due.
 */
class PartClaimsTest extends ServiceTest {
  private static final int PATIENCE = 250;

  private final AtomicReference<Runnable> duringTheClaim = new AtomicReference<>(() -> {});
  private HandDrivenWorker worker;

  @BeforeEach
  void makeClaimsSlow() {
    tracker =
        new HandDrivenTracker(1, SlowClaims.around(stores, duringTheClaim), time, Duration.ZERO);
    worker = tracker.worker("worker-1");
  }

  /** Leaves so many parts waiting, and returns the task id of the triggers that they are. */
  private String waitingParts(int count) {
    tracker.submit(job("index").build());
    worker.map(worker.takeOne(), count);
    tracker.runBatches();
    return "#" + stores.batches().findUnderWay(GROUP, 0, 1).get(0).id();
  }

  private static List<Integer> parts(List<Assignment> assignments) {
    return assignments.stream().map(Assignment::part).toList();
  }

  private static List<String> tasks(List<Assignment> assignments) {
    return assignments.stream().map(Assignment::taskId).toList();
  }

  /** Has parts claimed for the worker, whose pull takes a job along that falls due meanwhile. */
  private void claimPartsWhileTheirPullTakesAJob() {
    duringTheClaim.set(
        () -> {
          tracker.submit(job("lone").build());
          tracker.load();
          assertThat(executing("lone")).as("the claim of parts has not ended").hasSize(1);
        });
    CompletableFuture<PullReply> reply = worker.pull(8);
    assertThat(tasks(worker.receive(reply))).containsExactly("lone");
  }

  // When parts are sent.

  @Test
  void partsAreSentAsSoonAsTheyAreClaimed() {
    waitingParts(3);
    CompletableFuture<PullReply> reply = worker.pull(8);

    assertThat(parts(worker.receive(reply))).containsExactly(1, 2, 3);
  }

  @Test
  void jobThatFallsDueWhilePartsAreBeingClaimedIsSentBeforeThem() {
    String triggers = waitingParts(3);

    claimPartsWhileTheirPullTakesAJob();

    assertThat(executing(triggers)).hasSize(3);
    assertThat(parts(worker.receive(worker.pull(7)))).containsExactly(1, 2, 3);
  }

  @Test
  void pullOfAnotherWorkerStaysParked() {
    waitingParts(3);
    HandDrivenWorker other = tracker.worker("worker-2");
    AtomicReference<CompletableFuture<PullReply>> second = new AtomicReference<>();
    duringTheClaim.set(() -> second.set(other.pull(1)));

    CompletableFuture<PullReply> first = worker.pull(8);

    assertThat(parts(worker.receive(first))).containsExactly(1, 2, 3);
    assertThat(second.get()).isNotDone();
  }

  // How many.

  @Test
  void partsLeaveOneOfEightFreeSlots() {
    waitingParts(20);
    CompletableFuture<PullReply> reply = worker.pull(16);

    assertThat(worker.receive(reply)).hasSize(14);
    assertThat(worker.receive(worker.pull(3))).as("few slots are all taken").hasSize(3);
  }

  @Test
  void claimTakesSoManyPartsAtMost() {
    String triggers = waitingParts(200);
    List<Integer> claimed = new ArrayList<>();
    duringTheClaim.set(() -> duringTheClaim.set(() -> claimed.add(executing(triggers).size())));
    CompletableFuture<PullReply> reply = worker.pull(1_000);

    assertThat(worker.receive(reply)).hasSize(ClaimKind.PARTS.most());
    worker.receive(worker.pull(500));
    assertThat(claimed).as("when the second claim began").containsExactly(128);
  }

  // What is not sent.

  @Test
  void partsWhoseWorkerOffersNoSlotGoBackUnbegun() {
    String triggers = waitingParts(3);
    claimPartsWhileTheirPullTakesAJob();

    time.pass(Duration.ofMillis(PATIENCE - 1));
    assertThat(executing(triggers)).hasSize(3);
    time.pass(Duration.ofMillis(1));

    assertThat(executing(triggers)).isEmpty();
    assertThat(tracker.worker("worker-2").take(8))
        .hasSize(3)
        .allSatisfy(part -> assertThat(part.attempt()).isEqualTo(1));
  }

  /** Nor does it end with that of others, which were claimed before and are sent. */
  @Test
  void patienceBeginsWithTheClaimAndNotWithTheRelease() {
    String triggers = waitingParts(6);
    assertThat(worker.take(3)).hasSize(3);
    time.pass(Duration.ofMillis(PATIENCE - 1));
    claimPartsWhileTheirPullTakesAJob();

    time.pass(Duration.ofMillis(PATIENCE - 1));

    assertThat(executing(triggers)).hasSize(6);
    assertThat(worker.receive(worker.pull(7))).hasSize(3);
  }

  @Test
  void partsThatWereClaimedForAnEarlierProcessAreNotSentToTheNext() {
    String triggers = waitingParts(3);
    claimPartsWhileTheirPullTakesAJob();
    List<Long> claimed = executing(triggers).stream().map(Execution::id).toList();
    HandDrivenWorker next = tracker.worker("worker-1").ofProcess(7);

    next.pull(0);
    List<Assignment> sent = next.take(8);

    assertThat(sent)
        .hasSize(3)
        .allSatisfy(part -> assertThat(claimed).doesNotContain(part.executionId()))
        .allSatisfy(part -> assertThat(part.attempt()).isEqualTo(1));
  }

  @Test
  void partsOfARunThatIsTerminatedMeanwhileAreNotSent() {
    String triggers = waitingParts(3);
    claimPartsWhileTheirPullTakesAJob();

    tracker.terminate("index");
    tracker.runBatches();

    assertThat(worker.receive(worker.pull(7))).isEmpty();
    tracker.runBatches();
    assertThat(executing(triggers)).isEmpty();
    assertThat(ends("index")).containsExactly("CANCELLED");
  }
}
