package io.millrace.jobtracker.group.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.console.WorkerStore;
import io.millrace.jobtracker.store.console.WorkerStore.Drain;
import io.millrace.jobtracker.store.console.WorkerStore.Worker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Workers that an operator has said are to get no further work. */
class DrainedWorkerTest extends ServiceTest {
  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  private static Drain drain(String workerId, long process) {
    return new Drain(workerId, HandDrivenTracker.GROUP, process);
  }

  private void submitDue(String taskId) {
    tracker.submit(HandDrivenTracker.job(taskId).build());
    tracker.load();
  }

  private List<Worker> seen() {
    return tracker.desk().workers().list(HandDrivenTracker.GROUP, 1);
  }

  @Test
  void isGivenNothingWhileAnotherIs() {
    HandDrivenWorker other = tracker.worker("worker-2");
    tracker.desk().drain(List.of(drain("worker-1", 0)));

    CompletableFuture<PullReply> drained = worker.pull(4);
    CompletableFuture<PullReply> served = other.pull(1);
    submitDue("a");
    submitDue("b");
    time.run();

    assertThat(served.join().assignments()).extracting(Assignment::taskId).containsExactly("a");
    assertThat(drained).isNotDone();
    assertThat(tracker.desk().freeSlots()).isZero();
    time.pass(HandDrivenTracker.PARK_TIME);
    assertThat(drained.join().assignments()).isEmpty();
    assertThat(drained.join().trouble()).isNull();
    assertThat(waiting("b")).hasSize(1);
  }

  @Test
  void keepsWhatItRunsAndEndsIt() {
    submitDue("long");
    Assignment running = worker.takeOne();
    tracker.desk().drain(List.of(drain("worker-1", 0)));

    time.pass(HandDrivenTracker.WORKER_LEASE.minusSeconds(1));
    PullReply beat = worker.beat();
    assertThat(beat.stopRequested()).isEmpty();
    assertThat(beat.leaseMillis()).isEqualTo(HandDrivenTracker.WORKER_LEASE.toMillis());
    time.pass(Duration.ofSeconds(2));
    assertThat(tracker.recover()).as("its lease was renewed").isZero();

    assertThat(worker.succeed(running)).isEqualTo(CompletionStatus.ACCEPTED);
    assertThat(ends("long")).containsExactly("SUCCEEDED");
  }

  @Test
  void isGivenWorkAtOnceWhenItDrainsNoMore() {
    tracker.desk().drain(List.of(drain("worker-1", 0)));
    CompletableFuture<PullReply> parked = worker.pull(1);
    submitDue("a");
    assertThat(parked).isNotDone();

    tracker.desk().drain(List.of());
    time.run();

    assertThat(parked.join().assignments()).hasSize(1);
  }

  @Test
  void anotherProcessOfTheSameIdIsGivenWork() {
    tracker.desk().drain(List.of(drain("worker-1", 7)));
    submitDue("a");

    long number = PullRequest.before(7) + 1;
    CompletableFuture<PullReply> before = worker.pull(number, 1, List.of());
    assertThat(before).isNotDone();
    CompletableFuture<PullReply> after = worker.pull(PullRequest.before(8) + 1, 1, List.of(number));

    assertThat(after.join().assignments()).hasSize(1);
  }

  /** Names that this tracker does not know are shown, and mean nothing to it. */
  @Test
  void workerIsKnownWithTheFeaturesThatItsLastPullNamed() {
    CompletableFuture<PullReply> unused =
        tracker
            .desk()
            .pull(
                worker.peer(),
                new PullRequest(
                    1,
                    0,
                    List.of(),
                    List.of(),
                    null,
                    null,
                    null,
                    null,
                    List.of("parts", "x-1"),
                    List.of("gpu")));
    assertThat(seen().get(0).features()).containsExactly("parts", "x-1");
    assertThat(seen().get(0).labels()).containsExactly("gpu");
    assertThat(seen().get(0).offers()).containsOnly("#parts", "#x-1", "gpu");

    unused = tracker.desk().pull(worker.peer(), new PullRequest(2, 0, List.of(), List.of()));
    assertThat(seen().get(0).features()).isEmpty();
    assertThat(seen().get(0).labels()).isEmpty();
  }

  @Test
  void workersAreKnownByTheirLastPullUntilTheyAreForgotten() {
    List<Long> held = LongStream.range(0, 60).boxed().toList();
    tracker.desk().drain(List.of(drain("worker-1", 0)));
    CompletableFuture<PullReply> first =
        tracker.desk().pull(worker.peer(), new PullRequest(1, 0, List.of(), held, null, 16, 60));
    long connectedAt = time.millis();
    time.pass(Duration.ofSeconds(1));
    assertThat(first).isCompleted();
    tracker.desk().pull(worker.peer(), new PullRequest(2, 0, List.of(), held, null, 16, 61)).join();

    Worker pulled = seen().get(0);
    assertThat(pulled)
        .isEqualTo(
            new Worker(
                "worker-1",
                HandDrivenTracker.GROUP,
                0,
                1,
                "local",
                null,
                16,
                61,
                60,
                held.subList(0, WorkerStore.NAMED_EXECUTIONS),
                connectedAt,
                time.millis(),
                null,
                true));

    tracker.desk().disconnected(worker.peer());
    Worker gone = seen().get(0);
    assertThat(gone.disconnectedAt()).isEqualTo(time.millis());
    time.pass(Duration.ofSeconds(1));
    worker.beat();
    tracker.desk().workers().forget(gone, Long.MAX_VALUE);
    assertThat(seen()).as("it came back").hasSize(1);
    assertThat(seen().get(0).connectedAt()).isEqualTo(time.millis());
    tracker.desk().disconnected(worker.peer());
    tracker.desk().workers().forget(seen().get(0), Long.MAX_VALUE);
    assertThat(seen()).isEmpty();
  }
}
