package io.millrace.jobtracker.submit.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.cluster.TrackerLease;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.fixture.TrackerStoreCalls;
import io.millrace.jobtracker.store.BelievedLeases;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TrackerStore;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The trackers beside the one that asks are rows of the store: of this software by its own
 * statements, of older software by the statements that knew no levels.
 */
class FeatureGateTest extends ServiceTest {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final FeatureLevel OWN = FeatureLevel.OWN;
  private static final FeatureLevel NEWER = new FeatureLevel(OWN.number() + 1, "batches");

  private final TrackerStoreCalls calls = new TrackerStoreCalls();
  private FeatureGate gate;

  @BeforeEach
  void makeGate() {
    Stores observed = calls.around(stores);
    gate =
        new FeatureGate(
            observed.trackers(),
            new BelievedLeases(
                now -> observed.trackers().holders(now), time.timedExecutor().clock(), LEASE),
            time.timedExecutor().clock(),
            FeatureLevel::neededBy);
  }

  private TrackerStore.Tracker ofLevel(FeatureLevel level, String trackerId) {
    long until = time.millis() + LEASE.toMillis();
    return stores
        .trackers()
        .acquire(trackerId, trackerId + ":1", level.number(), time.millis(), until);
  }

  /** As software that knows no levels takes a number that nobody has had. */
  private void olderTracker(int number, String trackerId, String address) {
    byHand(
        "INSERT INTO jt_tracker (number, tracker_id, address, lease_until) VALUES (%d, '%s', '%s', %d)"
            .formatted(number, trackerId, address, time.millis() + LEASE.toMillis()));
  }

  private FeatureLevel required() {
    return stores.trackers().requiredLevel();
  }

  @Test
  void levelThatEveryTrackerHasIsAdmittedAndRequiredFromThenOn() {
    ofLevel(NEWER, "a");
    ofLevel(new FeatureLevel(9, "more"), "b");

    assertThat(gate.refusal(NEWER)).isNull();

    assertThat(required()).isEqualTo(NEWER);
    assertThat(calls.take()).containsExactly("holders", "require", "holders");
  }

  @Test
  void whatEveryTrackerKnowsAndWhatWasAdmittedBeforeCostNoCall() {
    olderTracker(7, "old", "old:1");
    assertThat(gate.refusal(FeatureLevel.NONE)).isNull();
    byHand("DELETE FROM jt_tracker");
    assertThat(gate.refusal(NEWER)).isNull();
    assertThat(calls.take()).hasSize(3);

    assertThat(gate.refusal(FeatureLevel.NONE)).isNull();
    assertThat(gate.refusal(OWN)).isNull();
    assertThat(gate.refusal(NEWER)).isNull();

    assertThat(calls.take()).isEmpty();
    assertThat(gate.refusal(new FeatureLevel(9, "more"))).as("another level").isNull();
    assertThat(calls.take()).hasSize(3);
  }

  @Test
  void olderTrackerBesideANewOneIsNamedAndTheLevelIsNotRaised() {
    ofLevel(NEWER, "a");
    olderTracker(3, "old", "10.0.0.5:35001");

    assertThat(gate.refusal(NEWER))
        .isEqualTo(
            "it needs trackers of feature level "
                + NEWER
                + ", and tracker 3 (old), at 10.0.0.5:35001, has level 0: upgrade or stop that"
                + " tracker, then try again");
    assertThat(gate.refusal(OWN)).contains("tracker 3 (old)");
    assertThat(required()).isEqualTo(FeatureLevel.NONE);

    time.pass(LEASE);
    ofLevel(NEWER, "a-again");
    assertThat(gate.refusal(NEWER)).as("the lease of the older one has run out").isNull();
  }

  @Test
  void olderTrackerThatTookTheNumberOfANewOneDoesNotInheritItsLevel() {
    TrackerStore.Tracker before = ofLevel(NEWER, "new");
    time.pass(LEASE.plus(TrackerStore.REST));
    byHand(
        "UPDATE jt_tracker SET tracker_id = 'old', address = 'old:1', lease_until = %d"
                .formatted(time.millis() + LEASE.toMillis())
            + " WHERE number = %d AND tracker_id = 'new' AND lease_until = %d"
                .formatted(before.number(), before.leaseUntil()));

    assertThat(gate.refusal(NEWER)).contains("tracker 0 (old), at old:1, has level 0");
  }

  @Test
  void trackerThatIsStartingCounts() {
    olderTracker(2, "old", TrackerStore.STARTING);

    assertThat(gate.refusal(OWN)).contains("tracker 2 (old), which is starting, has level 0");
  }

  /** After the database's clock was set back, nobody renews it. */
  @Test
  void leaseThatIsImplausiblyLongCountsForTwoLeasesOnly() {
    olderTracker(2, "old", "old:1");
    byHand("UPDATE jt_tracker SET lease_until = lease_until + 1000000000");
    assertThat(gate.refusal(OWN)).isNotNull();

    time.pass(LEASE.multipliedBy(2).plusMillis(1));

    assertThat(gate.refusal(OWN)).isNull();
  }

  /**
   * The steps of who asks are: read, raise, read. Those of a tracker that starts: lease, then
   * check. All orders; a number says how many steps of the first precede.
   */
  static Stream<Arguments> orders() {
    return IntStream.rangeClosed(0, 3)
        .boxed()
        .flatMap(
            lease -> IntStream.rangeClosed(lease, 3).mapToObj(check -> Arguments.of(lease, check)));
  }

  @ParameterizedTest
  @MethodSource("orders")
  void trackerThatStartsMeanwhileServesOrTheJobIsStoredAndNeverBoth(int lease, int check) {
    StartingTracker starting = new StartingTracker(lease, check);
    calls.before(name -> starting.goOn());

    String refusal = gate.refusal(NEWER);
    starting.finish();

    boolean isStored = refusal == null;
    assertThat(starting.serves && isStored).isFalse();
    assertThat(isStored).isEqualTo(lease == 3);
    assertThat(starting.serves).isEqualTo(lease == 0 || check < 2);
    assertThat(required()).isEqualTo(lease == 0 ? FeatureLevel.NONE : NEWER);
    if (!isStored) {
      assertThat(refusal).contains("(starting), which is starting, has level " + OWN.number());
    }
  }

  /** A tracker of this software, which does not know what came with the newer level. */
  private final class StartingTracker {
    private final int leaseAt;
    private final int checkAt;
    private int preceding;
    private @Nullable TrackerLease lease;
    private boolean isChecked;
    private boolean serves;

    StartingTracker(int leaseAt, int checkAt) {
      this.leaseAt = leaseAt;
      this.checkAt = checkAt;
    }

    /** Does what it does before the next step of who asks. */
    void goOn() {
      int now = preceding++;
      if (leaseAt <= now) {
        lease();
      }
      if (checkAt <= now) {
        check();
      }
    }

    void finish() {
      lease();
      check();
    }

    private void lease() {
      if (lease == null) {
        lease =
            TrackerLease.acquire(
                stores.trackers(),
                "starting",
                TrackerStore.STARTING,
                time.timedExecutor().clock(),
                LEASE,
                why -> {});
      }
    }

    private void check() {
      if (isChecked) {
        return;
      }
      isChecked = true;
      try {
        Objects.requireNonNull(lease).checkLevel();
        serves = true;
      } catch (IllegalStateException below) {
        serves = false;
      }
    }
  }
}
