package io.millrace.jobtracker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.LogCapture;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.domain.feature.FeatureLevel;
import io.millrace.jobtracker.fixture.TrackersByHand;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.TrackerStore;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A tracker of this software on a store whose jobs need a newer one. */
class OutdatedTrackerTest {
  private static final FeatureLevel NEWER =
      new FeatureLevel(FeatureLevel.OWN.number() + 1, "batches");
  private static final Duration LEASE = ServiceConfig.DEFAULT.trackerLease();

  @Test
  void trackerBelowTheRequiredLevelDoesNotStartAndLeavesItsNumber() {
    try (TrackersByHand cluster = new TrackersByHand(ServiceConfig.DEFAULT, null, "a:1")) {
      TrackerStore trackers = cluster.database.stores().trackers();
      trackers.require(NEWER);

      assertThatThrownBy(() -> cluster.start("b:1"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("feature level " + NEWER)
          .hasMessageContaining("this one has level " + FeatureLevel.OWN);

      assertThat(trackers.list(-1, 10)).extracting(Tracker::address).containsExactly("a:1");
      cluster.time.pass(LEASE.multipliedBy(3));
      assertThat(cluster.owner()).as("who serves goes on").isEqualTo("a:1");
    }
  }

  @Test
  void standaloneTrackerDoesNotStartEither() {
    try (TestDatabase database = TestDatabase.h2()) {
      database.stores().trackers().require(NEWER);
      try (JobTracker tracker = JobTracker.create(JobTrackerConfig.local(0, database.config()))) {
        assertThatThrownBy(tracker::start)
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("feature level " + NEWER);
      }
      assertThat(database.stores().trackers().list(-1, 10)).isEmpty();
    }
  }

  /** It is lowered by hand only; see docs/deploying.md. */
  @Test
  void levelOutlivesAllTrackers() {
    try (TrackersByHand cluster = new TrackersByHand(ServiceConfig.DEFAULT, null, "a:1")) {
      cluster.database.stores().trackers().require(NEWER);
      cluster.stopAll();

      assertThatThrownBy(() -> cluster.start("a:1")).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> cluster.start("b:1")).isInstanceOf(IllegalStateException.class);

      cluster.database.execute("UPDATE jt_cluster SET content = '1' WHERE name = 'required_level'");
      cluster.start("c:1");
      cluster.time.pass(LEASE);
      assertThat(cluster.owner()).isEqualTo("c:1");
    }
  }

  @Test
  void trackerThatStoodStillWhileTheLevelWasRaisedStops() {
    try (TrackersByHand cluster = new TrackersByHand(ServiceConfig.DEFAULT, null, "a:1");
        LogCapture log = new LogCapture(JobTracker.class)) {
      cluster.database.stores().trackers().require(NEWER);
      // The clock of the database goes on while the process stands still.
      cluster.time.setClock(cluster.time.now().plus(LEASE.multipliedBy(2)));

      cluster.time.pass(LEASE);

      assertThat(log.lines()).anyMatch(line -> line.contains("feature level " + NEWER));
      assertThat(cluster.database.stores().nodeGroups().all())
          .allMatch(group -> group.owner() == null);
    }
  }

  @Test
  void logSaysTheLevelOfATrackerThatHasStarted() {
    try (LogCapture log = new LogCapture(JobTracker.class);
        TrackersByHand cluster = new TrackersByHand(ServiceConfig.DEFAULT, null, "a:1")) {
      assertThat(log.lines())
          .contains("INFO tracker: number 0 listens at a:1, feature level " + FeatureLevel.OWN);
      assertThat(cluster.owner()).isEqualTo("a:1");
    }
  }
}
