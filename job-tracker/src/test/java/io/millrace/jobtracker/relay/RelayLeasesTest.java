package io.millrace.jobtracker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.protocol.CancelRequest;
import io.millrace.jobclient.internal.relay.RelayDuty;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
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
    CountDownLatch frozen = new CountDownLatch(1);
    CountDownLatch thaw = new CountDownLatch(1);
    RelayDuty first =
        relay(
            tracker.link(
                request -> {
                  if (request instanceof CancelRequest) {
                    frozen.countDown();
                    awaitUninterrupted(thaw);
                  }
                }),
            source());
    CompletableFuture<Void> ofFirst = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              run(first);
              ofFirst.complete(null);
            });
    thread.start();
    frozen.await();

    clock.advance(LEASE);
    RelayDuty second = relay();
    run(second);
    assertThat(tracker.log()).containsExactly("x", "-x", "x");
    String living = tracker.living("x");

    thaw.countDown();
    ofFirst.get();
    run(first);
    run(second);

    assertThat(tracker.living("x")).isEqualTo(living).isNotNull();
    assertThat(tracker.log()).containsExactly("x", "-x", "x");
    assertThat(left()).isEmpty();
    assertThat(rejected("reason")).isEmpty();
    assertThat(first.partitions() + second.partitions()).isEqualTo(16);
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
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
