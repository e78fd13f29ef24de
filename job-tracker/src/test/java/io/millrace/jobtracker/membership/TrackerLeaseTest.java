package io.millrace.jobtracker.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.fixture.RoomTest;
import io.millrace.jobtracker.store.TrackerStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TrackerLeaseTest extends RoomTest {
  private static final Duration LEASE = Duration.ofSeconds(10);

  private int lost;

  @Test
  void trackersCarryDifferentNumbers() {
    assertThat(acquire("one").number()).isNotEqualTo(acquire("two").number());
  }

  @Test
  void leaseThatIsRenewedIsKept() {
    TrackerLease lease = acquire("one");
    for (int i = 0; i < 20; i++) {
      time.pass(Duration.ofSeconds(9));
      assertThat(lease.renew()).isTrue();
      assertThat(stores.trackers().live(time.millis()))
          .extracting(TrackerStore.Tracker::trackerId)
          .containsExactly("one");
    }
    assertThat(lost).isZero();
  }

  @Test
  void leaseThatRanOutAndWasTakenIsLostAndSaidSo() {
    TrackerLease paused = acquire("one");
    time.pass(LEASE.plusMillis(1));
    TrackerLease successor = acquire("two");
    assertThat(successor.number()).isEqualTo(paused.number());

    assertThat(paused.renew()).isFalse();

    assertThat(lost).isEqualTo(1);
    assertThat(successor.renew()).isTrue();
  }

  @Test
  void leaseThatRanOutButThatNobodyTookIsRenewed() {
    TrackerLease paused = acquire("one");
    time.pass(LEASE.multipliedBy(5));

    assertThat(paused.renew()).isTrue();
    assertThat(lost).isZero();
  }

  @Test
  void releasedNumberIsFreeAtOnceAndOnlyItsHolderCanReleaseIt() {
    TrackerLease first = acquire("one");
    first.release();
    TrackerLease second = acquire("two");
    assertThat(second.number()).isEqualTo(first.number());

    first.release();

    assertThat(second.renew()).isTrue();
  }

  private TrackerLease acquire(String trackerId) {
    return TrackerLease.acquire(
        stores.trackers(), trackerId, "local", time.timedExecutor().clock(), LEASE, () -> lost++);
  }
}
