package io.millrace.jobtracker.group.pull;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.internal.rpc.RpcException;
import io.millrace.jobtracker.fixture.ForwardingTransactions;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.Transactions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A desk whose group is being handed over, or whose tracker is not sure that it owns it. */
class PausedDeskTest extends ServiceTest {
  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  @Test
  void pausedDeskParksPullsAndClaimsNothingUntilItGoesOn() {
    assertThat(tracker.desk().pause()).isCompleted();
    CompletableFuture<PullReply> parked = worker.pull(1);
    submitDue("close");
    assertThat(parked).isNotDone();
    assertThat(waiting("close")).hasSize(1);

    tracker.desk().resume();
    time.run();

    assertThat(parked.join().assignments()).hasSize(1);
  }

  @Test
  void claimThatHasNotBegunWhenTheDeskIsPausedClaimsNothing() {
    submitDue("close");
    CompletableFuture<PullReply> parked =
        tracker.desk().pull(worker.peer(), new PullRequest(1, 1, List.of(), List.of()));
    assertThat(time.waiting()).as("the claim waits for a thread").isEqualTo(1);

    assertThat(tracker.desk().pause()).isCompleted();
    time.run();

    assertThat(parked).isNotDone();
    assertThat(waiting("close")).hasSize(1);
  }

  /** The group is handed over when what was claimed has been answered, not before. */
  @Test
  void pauseLastsUntilTheClaimUnderWayIsAnswered() {
    AtomicReference<CompletableFuture<Void>> pause = new AtomicReference<>();
    AtomicReference<Runnable> inClaim = new AtomicReference<>(() -> {});
    HandDrivenTracker busy = new HandDrivenTracker(3, pausing(stores, inClaim), time);
    HandDrivenWorker busyWorker = busy.worker("worker-2");
    inClaim.set(
        () -> {
          pause.set(busy.desk().pause());
          assertThat(pause.get()).isNotDone();
        });
    busy.submit(job("close").build());
    busy.load();

    CompletableFuture<PullReply> reply = busyWorker.pull(1);

    assertThat(pause.get()).isCompleted();
    assertThat(reply.join().assignments()).hasSize(1);
  }

  private static Stores pausing(Stores stores, AtomicReference<Runnable> inClaim) {
    Transactions pausing =
        new ForwardingTransactions(stores.transactions()) {
          @Override
          public <R> R inTransaction(String name, Supplier<R> work) {
            R result = super.inTransaction(name, work);
            if (name.startsWith("claim from")) {
              inClaim.get().run();
            }
            return result;
          }
        };
    return ForwardingTransactions.around(stores, pausing);
  }

  @Test
  void workersAreToldWhereTheGroupIsServedNow() {
    CompletableFuture<PullReply> parked = worker.pull(1);

    tracker.desk().close("tracker:2");

    for (PullReply reply : new PullReply[] {parked.join(), worker.pull(1).join()}) {
      assertThat(reply.status()).isEqualTo(PullStatus.NOT_OWNER);
      assertThat(reply.owner()).isEqualTo("tracker:2");
    }
  }

  @Test
  void trackerInDoubtHandsNothingOutUntilItHasLookedAtTheStore() {
    tracker.knowsThatItOwns(false);
    CompletableFuture<PullReply> parked = worker.pull(1);
    submitDue("close");
    assertThat(parked).isNotDone();

    tracker.knowsThatItOwns(true);
    tracker.desk().dispatch();
    time.run();

    assertThat(parked.join().assignments()).hasSize(1);
  }

  /** A worker must not take doubt for an empty queue. */
  @Test
  void trackerInDoubtAnswersUnavailableWhenThePullHasWaited() {
    tracker.knowsThatItOwns(false);
    CompletableFuture<PullReply> parked = worker.pull(1);
    time.pass(HandDrivenTracker.PARK_TIME);

    Throwable failure = parked.handle((reply, e) -> e).join();

    assertThat(failure).isInstanceOf(RpcException.class).hasMessageContaining("orders");
    assertThat(((RpcException) failure).code()).isEqualTo(ErrorCode.UNAVAILABLE);
  }

  private void submitDue(String taskId) {
    tracker.submit(job(taskId).build());
    tracker.load();
  }
}
