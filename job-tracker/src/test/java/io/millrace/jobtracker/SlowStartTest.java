package io.millrace.jobtracker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.memory.InProcessNetwork;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.config.NodeGroupConfig;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.purge.RetentionConfig;
import io.millrace.jobtracker.quota.QuotaConfig;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.TrackerStore;
import io.millrace.jobtracker.wiring.TrackerRuntime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A tracker that has its number and takes long until it can serve: nothing is handed to it. */
class SlowStartTest {
  private static final Duration LEASE = ServiceConfig.DEFAULT.trackerLease();

  private final HandTime time = new HandTime();
  private final TimedExecutor timed = time.timedExecutor();
  private final InProcessNetwork network =
      new InProcessNetwork(timed.timer(), timed.executor(), timed.clock(), 1);

  @Test
  void groupsStayWithWhoServesThemUntilTheOtherIsReady() {
    try (TestDatabase database = TestDatabase.h2();
        JobTracker ready = tracker("a:1", database.stores())) {
      Stores stores = database.stores();
      stores.nodeGroups().ensure("orders", 10);
      stores.nodeGroups().ensure("billing", 10);
      ready.start();
      time.run();
      List<Integer> ownersMeanwhile = new ArrayList<>();
      Runnable meanwhile =
          () -> {
            time.pass(LEASE.dividedBy(2));
            ownersMeanwhile.addAll(owners(stores));
          };
      Stores slow = stores.with(TrackerStore.class, real -> slow(real, meanwhile));

      try (JobTracker starting = tracker("b:1", slow)) {
        starting.start();
        assertThat(ownersMeanwhile).containsExactly(0, 0);

        time.pass(LEASE);
        assertThat(owners(stores)).as("each has its share").containsExactlyInAnyOrder(0, 1);
      }
    }
  }

  private static List<Integer> owners(Stores stores) {
    return stores.nodeGroups().all().stream().map(NodeGroup::owner).toList();
  }

  /** A store that is busy while the tracker asks it for the highest id. */
  private static TrackerStore slow(TrackerStore real, Runnable meanwhile) {
    return (TrackerStore)
        Proxy.newProxyInstance(
            SlowStartTest.class.getClassLoader(),
            new Class<?>[] {TrackerStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("highestId")) {
                meanwhile.run();
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private JobTracker tracker(String address, Stores stores) {
    return JobTracker.over(
        new TrackerSettings(
            "tracker-" + address,
            ZoneOffset.UTC,
            NodeGroupConfig.atMost(10),
            GenerationLimits.DEFAULT,
            ServiceConfig.DEFAULT,
            RetentionConfig.DEFAULT,
            QuotaConfig.DEFAULT),
        new TrackerRuntime(
            stores,
            network.server(address, "tracker-" + address, RoleTokens.NONE),
            timed,
            new Random(address.hashCode())));
  }
}
