package io.millrace.jobtracker.batch;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.WORKER_LEASE;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import io.millrace.jobtracker.store.console.WorkerStore.Worker;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which workers a broadcast is for: those that are there when it is split, and no others. */
class BroadcastSetTest extends ServiceTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private HandDrivenWorker one;
  private HandDrivenWorker two;
  private HandDrivenWorker three;

  @BeforeEach
  void connectWorkers() {
    one = tracker.worker("worker-1");
    two = tracker.worker("worker-2");
    three = tracker.worker("worker-3");
    Stream.of(one, two, three).forEach(HandDrivenWorker::beat);
  }

  private static Job broadcast() {
    return job("reload").broadcast().build();
  }

  /** As a tracker writes its workers every few seconds. */
  private void noteWorkers(HandDrivenTracker of) {
    stores.console().fleet().workers().put(of.desk().workers().list(GROUP, 1));
  }

  private List<String> chosen() {
    List<Batch> batches = stores.batches().findUnderWay(GROUP, 0, 10);
    return batches.isEmpty()
        ? List.of()
        : stores.batches().workersOf(batches.get(0).id()).stream().map(BoundTo::workerId).toList();
  }

  /** Pulls so often that a due trigger that waits is asked for again. */
  private static void pullFor(
      Duration duration, HandDrivenTracker at, HandDrivenWorker... workers) {
    for (Duration left = duration; left.toMillis() > 0; left = left.minus(SECOND)) {
      for (HandDrivenWorker each : workers) {
        var unused = each.pull(1);
      }
      at.recoverFor(SECOND);
    }
  }

  // A tracker that does not know its workers.

  @Test
  void nextOwnerWaitsUntilAllWorkersHavePulled() {
    noteWorkers(tracker);
    tracker.submit(broadcast());
    HandDrivenTracker next = anotherTracker();
    next.load();
    HandDrivenWorker first = one.movedTo(next);
    pullFor(SECOND.multipliedBy(3), next, first);
    assertThat(chosen()).isEmpty();
    assertThat(waiting("reload")).hasSize(1);
    assertThat(next.awaited()).containsExactlyInAnyOrder("worker-2", "worker-3");

    HandDrivenWorker second = two.movedTo(next);
    HandDrivenWorker third = three.movedTo(next);
    pullFor(SECOND.multipliedBy(2), next, second);
    assertThat(chosen()).isEmpty();
    pullFor(SECOND.multipliedBy(2), next, third);
    assertThat(next.awaited()).isEmpty();

    assertThat(chosen()).containsExactly("worker-1", "worker-2", "worker-3");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void ownerBeforeMayHaveClosedTheirConnections(int leasesAgo) {
    Stream.of(one, two, three).forEach(worker -> tracker.desk().disconnected(worker.peer()));
    noteWorkers(tracker);
    tracker.submit(broadcast());
    time.pass(WORKER_LEASE.multipliedBy(leasesAgo));
    HandDrivenTracker next = anotherTracker();
    next.load();

    pullFor(SECOND.multipliedBy(2), next, one.movedTo(next));
    assertThat(chosen()).isEmpty();
    pullFor(SECOND.multipliedBy(2), next, two.movedTo(next), three.movedTo(next));

    assertThat(chosen()).containsExactly("worker-1", "worker-2", "worker-3");
  }

  @Test
  void workerThatDoesNotComeBackIsWaitedForNoLongerThanALease() {
    noteWorkers(tracker);
    tracker.submit(broadcast());
    HandDrivenTracker next = anotherTracker();
    next.load();
    HandDrivenWorker first = one.movedTo(next);
    HandDrivenWorker third = three.movedTo(next);

    pullFor(WORKER_LEASE.minus(SECOND), next, first, third);
    assertThat(chosen()).isEmpty();
    pullFor(SECOND.multipliedBy(3), next, first, third);

    assertThat(chosen()).containsExactly("worker-1", "worker-3");
  }

  @Test
  void trackerThatStoodStillForHalfALeaseWaitsToo() {
    noteWorkers(tracker);
    tracker.recoverFor(WORKER_LEASE.multipliedBy(2));
    Stream.of(one, two, three).forEach(HandDrivenWorker::beat);
    time.pass(WORKER_LEASE.dividedBy(2).plus(SECOND.multipliedBy(2)));
    tracker.submit(broadcast());

    one.take(1);
    assertThat(chosen()).as("before it has noticed").isEmpty();
    tracker.recover();
    pullFor(SECOND.multipliedBy(2), tracker, one);
    assertThat(chosen()).isEmpty();
    pullFor(SECOND.multipliedBy(2), tracker, two, three);

    assertThat(chosen()).containsExactly("worker-1", "worker-2", "worker-3");
  }

  @Test
  void trackerThatHeardNoWorkerForHalfALeaseWaitsToo() {
    noteWorkers(tracker);
    pullFor(WORKER_LEASE.multipliedBy(2), tracker, one, two, three);
    tracker.recoverFor(WORKER_LEASE.plus(SECOND));
    tracker.submit(broadcast());

    pullFor(SECOND.multipliedBy(2), tracker, one);
    assertThat(chosen()).isEmpty();
    assertThat(tracker.awaited()).containsExactlyInAnyOrder("worker-2", "worker-3");
    pullFor(SECOND.multipliedBy(2), tracker, two, three);

    assertThat(chosen()).containsExactly("worker-1", "worker-2", "worker-3");
  }

  @Test
  void oneWorkerThatIsSilentWhileOthersPullIsNotWaitedFor() {
    noteWorkers(tracker);
    pullFor(WORKER_LEASE.multipliedBy(2), tracker, one, two);
    tracker.submit(broadcast());

    pullFor(SECOND.multipliedBy(2), tracker, one, two);

    assertThat(chosen()).containsExactly("worker-1", "worker-2");
  }

  @Test
  void trackerThatKnowsItsWorkersReadsNone() {
    noteWorkers(tracker);
    byHand("UPDATE jt_worker SET worker_id = 'other' WHERE worker_id = 'worker-3'");
    pullFor(WORKER_LEASE, tracker, one, two);
    Stream.of(one, two).forEach(HandDrivenWorker::beat);
    tracker.recoverFor(SECOND);
    tracker.submit(broadcast());

    one.take(1);

    assertThat(chosen()).containsExactly("worker-1", "worker-2");
  }

  @Test
  void broadcastIsRefusedWhileATrackerKnowsOnlyLanes() {
    byHand(
        "INSERT INTO jt_tracker (number, tracker_id, address, lease_until, feature_level, level_of)"
            + " VALUES (3, 'old', 'old:1', %d, 3, 'old')".formatted(Long.MAX_VALUE));

    assertThat(tracker.submit(broadcast()).reason()).isEqualTo(RejectReason.TRACKER_TOO_OLD);
    assertThat(tracker.submit(job("draw").on("gpu").build()).isStored()).isTrue();
  }

  // Who is there.

  @Test
  void workerThatHasLostItsConnectionIsOneOfThem() {
    tracker.desk().disconnected(two.peer());
    Worker gone =
        tracker.desk().workers().list(GROUP, 1).stream()
            .filter(worker -> worker.workerId().equals("worker-2"))
            .findFirst()
            .orElseThrow();
    tracker.desk().workers().forget(gone, -WORKER_LEASE.toMillis());
    tracker.submit(broadcast());
    one.take(1);

    assertThat(chosen()).containsExactly("worker-1", "worker-2", "worker-3");
    assertThat(two.reconnected().take(5)).hasSize(1);
  }

  @Test
  void workerThatDrainsIsNone() {
    tracker.desk().drain(List.of(new Drain("worker-2", GROUP, 0)));
    tracker.submit(broadcast());
    one.take(1);

    assertThat(chosen()).containsExactly("worker-1", "worker-3");
  }

  @Test
  void workerThatHasBeenSilentForALeaseIsNone() {
    pullFor(WORKER_LEASE.plus(SECOND), tracker, one, three);
    tracker.submit(broadcast());
    one.take(1);

    assertThat(chosen()).containsExactly("worker-1", "worker-3");
  }

  @Test
  void workerThatDoesNotKnowPartsIsNoneAndSplitsNone() {
    HandDrivenWorker old = tracker.worker("old").withoutFeatures();
    old.beat();
    tracker.submit(broadcast());

    assertThat(old.take(5)).isEmpty();
    assertThat(chosen()).isEmpty();
    one.take(1);

    assertThat(chosen()).containsExactly("worker-1", "worker-2", "worker-3");
    assertThat(old.take(5)).isEmpty();
  }

  @Test
  void onlyWorkersWithTheLabelsAreAmongThem() {
    HandDrivenWorker gpu = tracker.worker("gpu").labelled("gpu", "eu");
    gpu.beat();
    tracker.worker("cpu").labelled("eu").beat();
    tracker.submit(job("reload").broadcast().on("gpu").build());

    assertThat(one.take(5)).isEmpty();
    assertThat(chosen()).isEmpty();
    List<Assignment> parts = gpu.take(5);

    assertThat(chosen()).containsExactly("gpu");
    assertThat(parts).singleElement().satisfies(part -> assertThat(part.shards()).isEqualTo(1));
  }

  @Test
  void runWaitsWhileNoWorkerIsThere() {
    Stream.of(one, two, three).forEach(worker -> tracker.desk().disconnected(worker.peer()));
    tracker.submit(broadcast());
    tracker.load();
    tracker.recoverFor(WORKER_LEASE.multipliedBy(2));
    assertThat(waiting("reload")).hasSize(1);

    HandDrivenWorker late = tracker.worker("late");

    assertThat(late.take(5)).hasSize(1);
    assertThat(chosen()).containsExactly("late");
  }
}
