package io.millrace.jobtracker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.memory.InProcessNetwork;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.TrackerStore;
import io.millrace.jobtracker.wiring.TrackerRuntime;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LostLeaseTest {
  private static final Duration LEASE = ServiceConfig.DEFAULT.trackerLease();

  @Test
  void trackerWhoseNumberAnotherHasServesNoGroupAnyMore() {
    ManualClock clock = new ManualClock(Instant.parse("2026-11-21T00:00:00Z"));
    ManualTimer timer = new ManualTimer(clock);
    InProcessNetwork network = new InProcessNetwork(timer, Runnable::run, clock, 1);
    try (TestDatabase database = TestDatabase.h2()) {
      Stores stores = database.stores();
      stores.nodeGroups().ensure("orders", 10);
      TrackerRuntime runtime =
          new TrackerRuntime(
              stores,
              network.server("tracker:1", "tracker", RoleTokens.NONE),
              new TimedExecutor(clock, timer, Runnable::run),
              new Random(1));
      try (JobTracker tracker = JobTracker.over(TrackerSettings.byDefault(), runtime)) {
        tracker.start();
        NodeGroup before = stores.nodeGroups().all().get(0);
        long later = clock.millis() + LEASE.plus(TrackerStore.REST).toMillis();
        stores.trackers().acquire("another", "tracker:2", later, later + LEASE.toMillis());

        timer.advance(LEASE);

        assertThat(before.owner()).isNotNull();
        assertThat(tracker.terminated()).isCompletedExceptionally();
        assertThat(stores.nodeGroups().all()).allMatch(group -> group.owner() == null);
      }
    }
  }
}
