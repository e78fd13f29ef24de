package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.LapsedNumberException;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.fixture.TrackerStoreCalls;
import io.millrace.jobtracker.store.TrackerStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrackerLeaseTest extends ServiceTest {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final FeatureLevel NEWER =
      new FeatureLevel(FeatureLevel.OWN.number() + 1, "batches");

  private final List<String> lost = new ArrayList<>();

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
      assertThat(stores.liveTrackers().at(time.millis()))
          .extracting(TrackerStore.Tracker::trackerId)
          .containsExactly("one");
    }
    assertThat(lost).isEmpty();
  }

  /** A process that was stopped for a while must not find its number with another. */
  @Test
  void numberRestsWhenItsLeaseHasRunOut() {
    TrackerLease paused = acquire("one");
    time.pass(LEASE.plus(TrackerStore.REST).minusMillis(1));
    assertThat(acquire("two").number()).isNotEqualTo(paused.number());

    time.pass(Duration.ofMillis(1));

    assertThat(acquire("three").number()).isEqualTo(paused.number());
  }

  @Test
  void leaseThatRanOutAndWasTakenIsLostAndSaidSo() {
    TrackerLease paused = acquire("one");
    time.pass(LEASE.plus(TrackerStore.REST));
    TrackerLease successor = acquire("two");
    assertThat(successor.number()).isEqualTo(paused.number());

    assertThat(paused.renew()).isFalse();

    assertThat(lost).containsExactly("another tracker has taken this tracker's lease");
    assertThat(paused.isHeld()).isFalse();
    assertThat(successor.renew()).isTrue();
  }

  @Test
  void leaseThatRanOutButThatNobodyTookIsRenewed() {
    TrackerLease paused = acquire("one");
    time.pass(LEASE.multipliedBy(5));

    assertThat(paused.renew()).isTrue();
    assertThat(lost).isEmpty();
  }

  @Test
  void leaseSaysHowLongItYetRuns() {
    TrackerLease lease = acquire("one");
    assertThat(lease.left()).isEqualTo(LEASE);

    time.pass(Duration.ofSeconds(3));
    assertThat(lease.left()).isEqualTo(Duration.ofSeconds(7));
    time.pass(LEASE);
    assertThat(lease.left()).isZero();

    lease.renew();
    assertThat(lease.left()).isEqualTo(LEASE);
    lease.release();
    assertThat(lease.left()).isZero();
  }

  /** It cannot know whether its number is another's by now. */
  @Test
  void leaseIsHeldNoMoreBeforeItRunsOutInTheStore() {
    TrackerLease lease = acquire("one");
    Duration lateAfter = lease.period().plus(LEASE.dividedBy(2));
    assertThat(lateAfter).isLessThan(LEASE);

    time.pass(lateAfter);
    assertThat(lease.isHeld()).isTrue();
    time.pass(Duration.ofMillis(1));
    assertThat(lease.isHeld()).isFalse();

    lease.renew();
    assertThat(lease.isHeld()).isTrue();
  }

  /** The monotonic clock stands still while a machine sleeps; the database's does not. */
  @Test
  void leaseIsHeldNoMoreOnceTheClockSaysSoAlthoughNoTimeSeemedToPass() {
    TrackerLease lease = acquire("one");

    time.setClock(time.now().plus(LEASE));

    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  void idIsIssuedOnlyWhileTheNumberIsHeld() {
    TrackerLease lease = acquire("one");
    IdSequence ids = new IdSequence(lease.number(), 0, lease::isHeld);
    long before = ids.next(time.millis());
    time.pass(LEASE);

    assertThatThrownBy(() -> ids.next(time.millis()))
        .isInstanceOf(LapsedNumberException.class)
        .hasMessageContaining("tracker number " + lease.number());

    lease.renew();
    assertThat(ids.next(time.millis())).isGreaterThan(before);
  }

  /** It wakes up under a number that is another's, before anything has told it so. */
  @Test
  void stoppedTrackerIssuesNoIdUnderANumberThatIsAnothersByNow() {
    TrackerLease stopped = acquire("one");
    IdSequence old = new IdSequence(stopped.number(), 0, stopped::isHeld);
    long last = old.next(time.millis());
    time.pass(LEASE.plus(TrackerStore.REST));
    TrackerLease successor = acquire("two");
    assertThat(successor.number()).isEqualTo(stopped.number());

    IdSequence anew = new IdSequence(successor.number(), last, successor::isHeld);
    assertThat(anew.next(time.millis())).isGreaterThan(last);
    assertThatThrownBy(() -> old.next(time.millis())).isInstanceOf(LapsedNumberException.class);

    assertThat(stopped.renew()).isFalse();
    assertThatThrownBy(() -> old.next(time.millis())).isInstanceOf(LapsedNumberException.class);
  }

  @Test
  void trackerThatRetiresCountsAsGoneAndKeepsItsNumberToTheEnd() {
    TrackerLease lease = acquire("one");
    lease.retire();

    assertThat(stores.liveTrackers().at(time.millis())).isEmpty();
    assertThat(lease.isHeld()).isTrue();
    assertThat(acquire("two").number()).isNotEqualTo(lease.number());
    assertThat(lease.renew()).as("it has not lost its number").isTrue();
    assertThat(stores.liveTrackers().at(time.millis()))
        .extracting(TrackerStore.Tracker::trackerId)
        .containsExactly("two");

    lease.release();
    assertThat(lease.isHeld()).isFalse();
    assertThat(acquire("three").number()).isEqualTo(lease.number());
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

  @Test
  void trackerOfTheRequiredLevelServes() {
    stores.trackers().require(FeatureLevel.OWN);
    TrackerLease lease = acquire("one");

    lease.checkLevel();

    time.pass(LEASE.multipliedBy(5));
    assertThat(lease.renew()).isTrue();
    assertThat(lost).isEmpty();
  }

  @Test
  void trackerBelowTheRequiredLevelSaysWhatNeedsItAndWhatToDo() {
    stores.trackers().require(NEWER);
    TrackerLease lease = acquire("one");

    assertThatThrownBy(lease::checkLevel)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "stored jobs need trackers of feature level "
                + NEWER
                + ", and this one has level "
                + FeatureLevel.OWN
                + "; start a newer version");
  }

  /** While its lease had run out, it was not seen by whoever raised the level. */
  @Test
  void trackerThatStoodStillWhileTheLevelWasRaisedDoesNotComeBack() {
    TrackerLease stopped = acquire("one");
    time.pass(LEASE.multipliedBy(5));
    assertThat(stores.trackers().holders(time.millis())).isEmpty();
    stores.trackers().require(NEWER);

    assertThat(stopped.renew()).isFalse();

    assertThat(stopped.isHeld()).isFalse();
    assertThat(lost).singleElement().asString().contains("feature level " + NEWER);
  }

  /** Its lease was seen all the time. Whoever needs the level has been refused. */
  @Test
  void levelIsNotReadAgainWhileRenewalsAreInTime() {
    TrackerLease lease = acquire("one");
    stores.trackers().require(NEWER);
    time.pass(lease.period());

    assertThat(lease.renew()).isTrue();
  }

  /** It was sent in time; what others did while the lease had run out is not known. */
  @Test
  void renewalThatTakesLongerThanTheLeaseIsLate() {
    TrackerStoreCalls calls = new TrackerStoreCalls();
    calls.before(
        name -> {
          if (name.equals("renew")) {
            time.pass(LEASE.multipliedBy(4).dividedBy(5));
          }
        });
    TrackerLease lease = acquire(calls.around(stores).trackers(), "one");
    time.pass(lease.period());

    assertThat(lease.renew()).isTrue();
    assertThat(lease.isHeld()).isTrue();
    assertThat(lease.isCertain()).as("others may have taken its node groups").isFalse();

    stores.trackers().require(NEWER);
    assertThat(lease.renew()).as("the level may have been raised meanwhile").isFalse();
  }

  private TrackerLease acquire(String trackerId) {
    return acquire(stores.trackers(), trackerId);
  }

  private TrackerLease acquire(TrackerStore trackers, String trackerId) {
    return TrackerLease.acquire(
        trackers, trackerId, "local", time.timedExecutor().clock(), LEASE, lost::add);
  }
}
