package io.millrace.jobtracker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.jobclient.internal.relay.RelayDuty;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Several relays over the same rows. */
class RelayLeasesTest extends RelayTest {

  @Test
  void oneRelaySendsAndAnotherTakesOverWhenItsLeaseIsOver() throws SQLException {
    RelayDuty first = relay();
    RelayDuty second = relay();
    run(first);
    run(second);
    assertThat(first.partitions()).isEqualTo(16);
    assertThat(second.partitions()).isZero();

    enqueue("a", "b");
    run(second);
    assertThat(tracker.log()).isEmpty();

    clock.advance(LEASE);
    run(second);
    assertThat(second.partitions()).isEqualTo(16);
    assertThat(tracker.log()).containsExactlyInAnyOrder("a", "b");

    run(first);
    assertThat(first.partitions()).isZero();
  }

  @Test
  void relayThatRenewsKeepsItsPartitions() throws SQLException {
    RelayDuty first = relay();
    RelayDuty second = relay();
    run(first);
    for (int i = 0; i < 20; i++) {
      clock.advance(LEASE.dividedBy(2));
      run(first);
      run(second);
    }
    assertThat(first.partitions()).isEqualTo(16);
    assertThat(second.partitions()).isZero();
  }

  @Test
  void relayThatStopsLeavesItsPartitionsAtOnce() throws SQLException {
    RelayDuty first = relay();
    RelayDuty second = relay();
    run(first);
    first.release();

    run(second);

    assertThat(first.partitions()).isZero();
    assertThat(second.partitions()).isEqualTo(16);
  }

  @Test
  void partitionsMayBeSharedByRelays() throws SQLException {
    RelayDuty first = relay();
    RelayDuty second = relay();
    run(first);
    database.execute(
        "UPDATE millrace_enqueued_lease SET lease_until = 0, holder = NULL WHERE partition_no < 8");
    run(second);
    clock.advance(LEASE.dividedBy(2));
    run(first);
    run(second);
    assertThat(first.partitions()).isEqualTo(8);
    assertThat(second.partitions()).isEqualTo(8);

    String[] taskIds = new String[100];
    for (int i = 0; i < taskIds.length; i++) {
      taskIds[i] = "job-" + i;
    }
    enqueue(taskIds);
    run(first);
    int ofFirst = tracker.log().size();
    run(second);

    assertThat(ofFirst).isBetween(1, 99);
    assertThat(tracker.log()).containsExactlyInAnyOrder(taskIds);
    assertThat(left()).isEmpty();
  }

  @Test
  void lateCancelOfAFrozenRelayIsRefused() throws Exception {
    enqueue("x");
    cancel("x");
    enqueue("x");
    Frozen first = new Frozen(CancelRequest.class, 1);
    first.freeze();

    clock.advance(LEASE);
    RelayDuty second = relay();
    run(second);
    assertThat(tracker.log()).containsExactly("x", "-x", "x");
    String living = tracker.living("x");

    first.thaw();
    run(first.relay);
    run(second);

    assertThat(tracker.living("x")).isEqualTo(living).isNotNull();
    assertThat(tracker.log()).containsExactly("x", "-x", "x");
    assertThat(left()).isEmpty();
    assertThat(rejected("reason")).isEmpty();
    assertThat(first.relay.partitions() + second.partitions()).isEqualTo(16);
  }

  /** Nothing but the epoch tells the tracker that it has answered this submit before. */
  @Test
  void lateSubmitOfAFrozenRelayIsRefusedAfterADuplicate() throws Exception {
    Frozen first = new Frozen(SubmitRequest.class, 2);
    enqueue("x");
    run(first.relay);
    enqueue("x");
    cancel("x");
    first.freeze();

    clock.advance(LEASE);
    RelayDuty second = relay();
    run(second);
    assertThat(tracker.log()).containsExactly("x", "-x");
    assertThat(left()).isEmpty();

    first.thaw();
    run(first.relay);
    run(second);

    assertThat(tracker.living("x")).isNull();
    assertThat(tracker.log()).containsExactly("x", "-x");
    assertThat(left()).isEmpty();
    assertThat(rejected("reason")).isEmpty();
    assertThat(first.relay.partitions() + second.partitions()).isEqualTo(16);
  }

  /** A relay that stops for a while in the middle of a request, on a thread of its own. */
  private final class Frozen {
    private final CountDownLatch frozen = new CountDownLatch(1);
    private final CountDownLatch thaw = new CountDownLatch(1);
    private final CompletableFuture<Void> pass = new CompletableFuture<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final RelayDuty relay;

    /** It stops at the request of this type with this number, from 1. */
    private Frozen(Class<?> type, int number) {
      relay =
          relay(
              tracker.link(
                  request -> {
                    if (type.isInstance(request) && requests.incrementAndGet() == number) {
                      frozen.countDown();
                      awaitUninterrupted(thaw);
                    }
                  }),
              source());
    }

    /** Begins a pass, and returns when it has stopped. */
    private void freeze() throws InterruptedException {
      Thread thread =
          new Thread(
              () -> {
                run(relay);
                pass.complete(null);
              });
      thread.start();
      frozen.await();
    }

    /** Ends the pass. */
    private void thaw() throws Exception {
      thaw.countDown();
      pass.get();
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void lateSubmitOfTheSameRelayIsRefusedAfterADuplicate() throws Exception {
    SubmitRequest[] lost = new SubmitRequest[1];
    RelayDuty losing =
        relay(
            tracker.link(
                request -> {
                  if (request instanceof SubmitRequest submit
                      && tracker.living("x") != null
                      && lost[0] == null) {
                    lost[0] = submit;
                    tracker.loseRequests(1);
                  }
                }),
            source());
    enqueue("x");
    run(losing);
    enqueue("x");
    run(losing);
    assertThat(left()).containsExactly("x");
    clock.advance(Duration.ofSeconds(1));
    run(losing);
    assertThat(left()).isEmpty();
    tracker.end("x");

    SubmitReply late = tracker.link().session().call(lost[0], Duration.ofSeconds(1)).get();

    assertThat(late.results()).extracting(SubmitResult::reason).containsOnly(RejectReason.OUTDATED);
    assertThat(tracker.log()).containsExactly("x");
  }

  /** Another relay may have sent the row since: that it was sent must not be forgotten. */
  @Test
  void rowThatIsAnsweredAfterTheLeaseIsOverStillCountsAsSent() throws SQLException {
    tracker.verdict(
        job -> SubmitResult.rejected(job.taskId(), RejectReason.WAITING_FULL, "there is no room"));
    RelayDuty slow = relay(tracker.link(request -> clock.advance(LEASE)), source());
    enqueue("a");

    run(slow);

    assertThat(
            database.query("SELECT task_id FROM millrace_enqueued WHERE first_sent_at IS NOT NULL"))
        .containsExactly("a");
  }

  @Test
  void lateCancelOfTheSameRelayIsRefused() throws Exception {
    RelayDuty relay = relay();
    CancelRequest[] lost = new CancelRequest[1];
    RelayDuty losing =
        relay(
            tracker.link(
                request -> {
                  if (request instanceof CancelRequest cancel && lost[0] == null) {
                    lost[0] = cancel;
                    tracker.loseRequests(1);
                  }
                }),
            source());
    enqueue("x");
    cancel("x");
    run(losing);
    enqueue("x");
    clock.advance(Duration.ofSeconds(1));
    run(losing);
    assertThat(tracker.log()).containsExactly("x", "-x", "x");

    tracker.link().session().call(lost[0], Duration.ofSeconds(1));

    assertThat(tracker.log()).containsExactly("x", "-x", "x");
    assertThat(relay.partitions()).isZero();
  }

  @Test
  void epochsRiseAfterTheTablesOfTheApplicationAreRestored() throws SQLException {
    RelayDuty before = relay();
    enqueue("x");
    cancel("x");
    run(before);
    database.execute(
        "UPDATE millrace_enqueued_lease SET epoch = 1, holder = NULL, lease_until = 0");
    clock.advance(Duration.ofMinutes(1));

    RelayDuty after = relay();
    enqueue("x");
    cancel("x");
    run(after);

    assertThat(tracker.log()).containsExactly("x", "-x", "x", "-x");
    assertThat(left()).isEmpty();
  }

  @Test
  void relayWhoseEpochIsTooLowTakesAHigherOne() throws SQLException {
    RelayDuty before = relay();
    enqueue("x");
    cancel("x");
    run(before);
    database.execute(
        "UPDATE millrace_enqueued_lease SET epoch = epoch - 1, holder = NULL, lease_until = 0");
    RelayDuty after = relay();
    enqueue("x");
    cancel("x");

    for (int i = 0; i < 3; i++) {
      run(after);
      clock.advance(Duration.ofSeconds(5));
    }

    assertThat(tracker.log()).containsExactly("x", "-x", "x", "-x");
    assertThat(left()).isEmpty();
  }
}
