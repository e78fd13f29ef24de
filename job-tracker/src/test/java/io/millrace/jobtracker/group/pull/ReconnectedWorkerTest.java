package io.millrace.jobtracker.group.pull;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.protocol.PullReply;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.console.WorkerStore.Worker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A worker has connected anew, and the tracker learns much later that the old connection is over:
 * that end touches nothing of what the worker does over the new one.
 */
class ReconnectedWorkerTest extends ServiceTest {
  private static final long AHEAD = 25;

  private HandDrivenWorker before;
  private HandDrivenWorker after;

  @BeforeEach
  void connectTwice() {
    tracker = new HandDrivenTracker(1, stores, time, Duration.ofMillis(AHEAD));
    before = tracker.worker("worker-1");
    before.beat();
    after = before.reconnected();
  }

  private void oldConnectionEnds() {
    tracker.desk().disconnected(before.peer());
    time.run();
  }

  @Test
  void parkedPullOfTheNewConnectionWaitsOn() {
    CompletableFuture<PullReply> parked = after.pull(1);

    oldConnectionEnds();
    assertThat(parked).isNotDone();
    tracker.submit(job("close").build());
    tracker.load();

    assertThat(after.receive(parked)).hasSize(1);
  }

  @Test
  void whatWasClaimedAheadForTheNewConnectionLeavesAtItsTime() {
    tracker.submit(job("close").at(inMillis(10)).build());
    tracker.load();
    CompletableFuture<PullReply> parked = after.pull(1);
    List<Execution> claimed = executing("close");
    assertThat(claimed).hasSize(1);

    oldConnectionEnds();
    time.pass(Duration.ofMillis(10));

    assertThat(after.receive(parked))
        .singleElement()
        .matches(assignment -> assignment.executionId() == claimed.get(0).id());
    assertThat(ends("close")).isEmpty();
  }

  @Test
  void delayedPullOfTheOldConnectionIsStillOld() {
    CompletableFuture<PullReply> parked = after.pull(7, 1, List.of());

    oldConnectionEnds();
    CompletableFuture<PullReply> delayed = before.pull(6, 1, List.of());
    tracker.submit(job("close").build());
    tracker.load();

    assertThat(delayed.join().assignments()).isEmpty();
    assertThat(after.receive(parked)).hasSize(1);
  }

  /** A pull that comes late must not make its connection the one that counts. */
  @Test
  void delayedPullOfTheOldConnectionTakesNothingWithIt() {
    CompletableFuture<PullReply> parked = after.pull(7, 1, List.of());
    before.pull(6, 1, List.of());

    oldConnectionEnds();

    assertThat(parked).isNotDone();
    assertThat(seen().disconnectedAt()).isNull();
  }

  @Test
  void workerStaysConnectedForOperators() {
    after.beat();

    oldConnectionEnds();

    assertThat(seen().disconnectedAt()).isNull();
  }

  @Test
  void pullOfTheOldConnectionEndsWithIt() {
    CompletableFuture<PullReply> old = before.pull(1);
    after.pull(before.lastNumber() + 1, 0, List.of(before.lastNumber()));

    oldConnectionEnds();

    assertThat(old).isCompletedExceptionally();
    assertThat(seen().disconnectedAt()).isNull();
  }

  @Test
  void theEndOfTheNewConnectionIsTheEndOfAll() {
    tracker.submit(job("close").at(inMillis(10)).build());
    tracker.load();
    CompletableFuture<PullReply> parked = after.pull(1);

    tracker.desk().disconnected(after.peer());
    time.run();

    assertThat(parked).isCompletedExceptionally();
    assertThat(seen().disconnectedAt()).isEqualTo(time.millis());
    assertThat(executing("close")).isEmpty();
    assertThat(waiting("close")).hasSize(1);
  }

  private Worker seen() {
    List<Worker> workers = tracker.desk().workers().list(GROUP, 1);
    assertThat(workers).hasSize(1);
    return workers.get(0);
  }
}
