package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.batch;
import static io.millrace.jobtracker.store.StoreRows.ended;
import static io.millrace.jobtracker.store.StoreRows.executing;
import static io.millrace.jobtracker.store.StoreRows.job;
import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Disposition;
import io.millrace.api.TriggerResult;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.outcome.Feedback;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import io.millrace.jobtracker.store.failure.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TrackerStoreContractTest extends StoreContract {
  private static final long REST = TrackerStore.REST.toMillis();
  private static final int OWN = FeatureLevel.OWN.number();
  private static final FeatureLevel SECOND = new FeatureLevel(2, "batches");

  private TrackerStore store;

  @BeforeEach
  void takeStore() {
    store = stores.trackers();
    database.execute("DELETE FROM jt_tracker");
    database.execute("DELETE FROM jt_cluster WHERE name = 'required_level'");
  }

  private List<Tracker> live(long now) {
    return stores.liveTrackers().at(now);
  }

  private Tracker acquired(String trackerId, long now, long leaseUntil) {
    return store.acquire(trackerId, trackerId + ":35001", now, leaseUntil);
  }

  @Test
  void leasesTheLowestNumberThatNobodyHoldsAndThatHasRested() {
    assertThat(acquired("a", 100, 200)).isEqualTo(new Tracker(0, "a", "a:35001", 200, OWN));
    assertThat(acquired("b", 100, 150).number()).isEqualTo(1);
    assertThat(acquired("c", 100, 200).number()).isEqualTo(2);

    assertThat(acquired("d", 149, 300).number()).isEqualTo(3);
    assertThat(acquired("e", REST + 149, REST + 300).number()).isEqualTo(4);
    assertThat(acquired("f", REST + 150, REST + 300).number()).isEqualTo(1);
    store.release(0, "a");
    assertThat(acquired("g", REST + 150, REST + 300).number()).isEqualTo(0);
  }

  @Test
  void showsTrackersWhoseLeaseHasNotRunOut() {
    Tracker a = acquired("a", 100, 200);
    Tracker b = acquired("b", 100, 201);

    assertThat(live(199)).containsExactly(a, b);
    assertThat(live(200)).containsExactly(b);
  }

  @Test
  void trackerThatStartsHoldsItsNumberAndIsNotLiveUntilItIsAnnounced() {
    Tracker starting = store.acquire("a", TrackerStore.STARTING, 100, 200);
    Tracker ready = acquired("b", 100, 200);

    assertThat(ready.number()).isEqualTo(1);
    assertThat(live(150)).containsExactly(ready);
    assertThat(store.list(-1, 10)).containsExactly(starting, ready);

    store.announce(0, "another", "c:1");
    assertThat(live(150)).containsExactly(ready);
    store.announce(0, "a", "a:35001");
    assertThat(live(150)).containsExactly(new Tracker(0, "a", "a:35001", 200, OWN), ready);
  }

  @Test
  void holdersOfALeaseAreThoseThatStartToo() {
    Tracker starting = store.acquire("a", TrackerStore.STARTING, 100, 200);
    Tracker ready = acquired("b", 100, 201);

    assertThat(store.holders(199)).containsExactly(starting, ready);
    assertThat(store.holders(200)).containsExactly(ready);
  }

  @Test
  void trackerHasTheLevelThatItStated() {
    Tracker newer = store.acquire("a", "a:35001", 7, 100, 200);

    assertThat(newer.featureLevel()).isEqualTo(7);
    assertThat(store.list(-1, 10)).containsExactly(newer);
    assertThat(store.renew(0, "a", 300)).isTrue();
    assertThat(store.holders(250)).containsExactly(new Tracker(0, "a", "a:35001", 300, 7));
  }

  /** The statements are those of software that knows no levels. */
  @Test
  void levelCountsOnlyBesideTheTrackerThatStatedIt() {
    acquired("new", 100, 200);
    database.execute(
        "INSERT INTO jt_tracker (number, tracker_id, address, lease_until)"
            + " VALUES (1, 'old-1', 'old:1', 300)");
    assertThat(store.list(-1, 10)).extracting(Tracker::featureLevel).containsExactly(OWN, 0);

    database.execute(
        "UPDATE jt_tracker SET tracker_id = 'old-0', address = 'old:0', lease_until = 300"
            + " WHERE number = 0 AND tracker_id = 'new' AND lease_until = 200");

    assertThat(store.list(-1, 10)).extracting(Tracker::featureLevel).containsExactly(0, 0);
    assertThat(live(250)).extracting(Tracker::trackerId).containsExactly("old-0", "old-1");
    Tracker again = acquired("newer", 300 + REST, 400 + REST);
    assertThat(again).isEqualTo(new Tracker(0, "newer", "newer:35001", 400 + REST, OWN));
    assertThat(store.list(-1, 10)).extracting(Tracker::featureLevel).containsExactly(OWN, 0);
  }

  @Test
  void requiredLevelOnlyRises() {
    assertThat(store.requiredLevel()).isEqualTo(FeatureLevel.NONE);

    store.require(SECOND);
    assertThat(store.requiredLevel()).isEqualTo(SECOND);
    store.require(FeatureLevel.CHECK);
    store.require(new FeatureLevel(2, "other words"));
    assertThat(store.requiredLevel()).isEqualTo(SECOND);

    FeatureLevel tenth = new FeatureLevel(10, "more");
    store.require(tenth);
    assertThat(store.requiredLevel()).as("compared as a number").isEqualTo(tenth);
  }

  /** Others would not see it before the end of the transaction. */
  @Test
  void requiredLevelIsNotRaisedWithinATransaction() {
    assertThatThrownBy(() -> stores.transactions().run("outer", () -> store.require(SECOND)))
        .isInstanceOf(IllegalStateException.class);

    assertThat(store.requiredLevel()).isEqualTo(FeatureLevel.NONE);
  }

  @Test
  void ofLevelsThatAreRequiredAtTheSameTimeTheHighestStays() {
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      for (int round = 0; round < 10; round++) {
        database.execute("DELETE FROM jt_cluster WHERE name = 'required_level'");
        List<Callable<Boolean>> raises =
            IntStream.range(0, 4)
                .<Callable<Boolean>>mapToObj(
                    i ->
                        () -> {
                          TrackerStore one = (i % 2 == 0 ? stores : other).trackers();
                          FeatureLevel level = new FeatureLevel(i + 1, "level " + i);
                          one.require(level);
                          return one.requiredLevel().covers(level);
                        })
                .toList();

        assertThat(racer.together(raises)).containsOnly(true);
        assertThat(store.requiredLevel().number()).isEqualTo(4);
      }
    }
  }

  @Test
  void listsAllTrackersPageByPage() {
    Tracker a = acquired("a", 100, 200);
    Tracker b = acquired("b", 100, 101);
    Tracker c = acquired("c", 100, 200);

    assertThat(store.list(-1, 2)).containsExactly(a, b);
    assertThat(store.list(1, 2)).containsExactly(c);
    assertThat(store.list(2, 2)).isEmpty();
  }

  @Test
  void leaseIsRenewedUntilAnotherTrackerHasTheNumber() {
    acquired("a", 100, 200);

    assertThat(store.renew(0, "a", 300)).isTrue();
    assertThat(live(250)).hasSize(1);
    acquired("b", REST + 300, REST + 400);
    assertThat(store.renew(0, "a", REST + 500)).isFalse();
    assertThat(live(REST + 399)).extracting(Tracker::trackerId).containsExactly("b");
  }

  @Test
  void lostLeaseCannotBeReleased() {
    acquired("a", 100, 200);
    acquired("b", REST + 200, REST + 300);

    store.release(0, "a");
    store.retire(0, "a", REST + 210);

    assertThat(live(REST + 250)).extracting(Tracker::trackerId).containsExactly("b");
  }

  @Test
  void trackerThatRetiresIsGoneAtOnceAndItsNumberRests() {
    acquired("a", 100, 200);

    store.retire(0, "a", 150);

    assertThat(live(150)).isEmpty();
    assertThat(acquired("b", 150, 250).number()).isEqualTo(1);
    store.retire(0, "a", 180);
    assertThat(acquired("c", REST + 150, REST + 300).number()).isZero();
  }

  @Test
  void failsWhenAllNumbersAreHeld() {
    String rows =
        IntStream.range(0, 1024)
            .mapToObj(i -> "(" + i + ", 'x', 'x:1', 200)")
            .reduce((one, two) -> one + ", " + two)
            .orElseThrow();
    database.execute(
        "INSERT INTO jt_tracker (number, tracker_id, address, lease_until) VALUES " + rows);

    assertThatThrownBy(() -> acquired("a", 100, 300))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("1024");
    database.execute("UPDATE jt_tracker SET lease_until = 150 WHERE number = 700");
    assertThat(acquired("a", 200, 300).number()).as("has rested longest").isEqualTo(700);
    assertThat(acquired("b", 200, 300).number()).isZero();
  }

  @Test
  void trackersThatStartAtTheSameTimeGetDifferentNumbers() {
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      for (int round = 0; round < 10; round++) {
        long now = (REST + 1_000) * round;
        List<Callable<Integer>> starts =
            IntStream.range(0, 4)
                .<Callable<Integer>>mapToObj(
                    i ->
                        () ->
                            (i % 2 == 0 ? stores : other)
                                .trackers()
                                .acquire("tracker-" + i, "x:1", now, now + 1_000)
                                .number())
                .toList();

        assertThat(racer.together(starts)).containsExactlyInAnyOrder(0, 1, 2, 3);
      }
    }
  }

  @Test
  void trackersThatProposeASecretAtTheSameTimeGetTheSame() {
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      for (int round = 0; round < 10; round++) {
        database.execute("DELETE FROM jt_cluster");
        List<Callable<String>> proposals =
            IntStream.range(0, 4)
                .<Callable<String>>mapToObj(
                    i ->
                        () -> (i % 2 == 0 ? stores : other).trackers().clusterSecret("secret " + i))
                .toList();

        List<String> answers = racer.together(proposals);

        assertThat(answers).startsWith(store.clusterSecret("too late"));
        assertThat(answers).containsOnly(answers.get(0));
      }
    }
  }

  @Test
  void knowsTheHighestIdOfEveryTable() {
    long before = store.highestId();

    WaitingTrigger waiting = oneShot("a");
    stores.waiting().insert(nodeGroup, List.of(waiting));
    assertThat(store.highestId()).isEqualTo(waiting.id()).isGreaterThan(before);

    Execution execution = executing(nodeGroup, "b");
    stores.executing().insert(List.of(execution));
    assertThat(store.highestId()).isEqualTo(execution.id());

    Batch batch = batch(nodeGroup, oneShot("split"), 2);
    stores.batches().insert(List.of(batch));
    assertThat(store.highestId()).isEqualTo(batch.id()).isGreaterThan(execution.id());

    LedgerEntry ended = ended(nodeGroup, "c", LedgerStatus.DEAD);
    stores.ledger().append(List.of(ended));
    assertThat(store.highestId()).isEqualTo(ended.id());

    JobDefinition job = job(nodeGroup, "d");
    stores.jobs().insert(job);
    assertThat(store.highestId()).isEqualTo(job.id());

    Feedback feedback = feedback(job.id() + 1);
    stores.feedback().append(List.of(feedback));
    assertThat(store.highestId()).isEqualTo(feedback.id());
    stores.feedback().delete(List.of(feedback.id()));
  }

  private Feedback feedback(long id) {
    return new Feedback(
        id,
        "billing",
        new TriggerResult(
            nodeGroup, "a", Instant.EPOCH, 0, Disposition.DEAD, 1, null, Instant.EPOCH));
  }
}
