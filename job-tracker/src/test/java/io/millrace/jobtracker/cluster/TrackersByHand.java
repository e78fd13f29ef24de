package io.millrace.jobtracker.cluster;

import io.millrace.common.model.NodeRole;
import io.millrace.common.rpc.RoleTokens;
import io.millrace.common.rpc.RpcConnectorConfig;
import io.millrace.common.rpc.Session;
import io.millrace.common.rpc.Token;
import io.millrace.common.rpc.memory.InProcessNetwork;
import io.millrace.common.time.TimedExecutor;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.resources.ClientResources;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.NodeGroupConfig;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.purge.RetentionConfig;
import io.millrace.jobtracker.quota.QuotaConfig;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import io.millrace.jobtracker.wiring.TrackerRuntime;
import io.millrace.tasktracker.JobRunner;
import io.millrace.tasktracker.TaskTracker;
import io.millrace.tasktracker.WorkerResources;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * Trackers over one database, with clients and workers, in one thread. Their loads are so rare that
 * nothing starts soon without a hint.
 */
final class TrackersByHand implements AutoCloseable {
  static final String GROUP = "orders";
  static final Token SECRET = Token.of("the secret that the trackers share");

  private static final ServiceConfig SELDOM =
      new ServiceConfig(
          Duration.ofSeconds(10),
          ServiceConfig.Workers.DEFAULT,
          new ServiceConfig.Preload(Duration.ofSeconds(50), Duration.ofSeconds(55)),
          Duration.ofHours(1));

  final HandTime time = new HandTime();
  final TestDatabase database = TestDatabase.h2();
  private final TimedExecutor timed = time.timedExecutor();
  final InProcessNetwork network =
      new InProcessNetwork(timed.timer(), timed.executor(), timed.clock(), 1);
  private final Map<String, JobTracker> trackers = new LinkedHashMap<>();

  /** Starts trackers at these addresses, and lets them find one another and share the group. */
  TrackersByHand(String... addresses) {
    for (String address : addresses) {
      start(address);
    }
    NodeGroup unused = database.stores().nodeGroups().ensure(GROUP, 10);
    time.pass(Duration.ofSeconds(30));
  }

  JobTracker start(String address) {
    JobTracker tracker =
        JobTracker.over(
            new TrackerSettings(
                "tracker-" + address,
                ZoneOffset.UTC,
                NodeGroupConfig.atMost(10),
                GenerationLimits.DEFAULT,
                SELDOM,
                RetentionConfig.DEFAULT,
                QuotaConfig.DEFAULT),
            new TrackerRuntime(
                database.stores(),
                network.server(address, "tracker-" + address, RoleTokens.NONE.withTracker(SECRET)),
                timed,
                new Random(address.hashCode()),
                network.connector(
                    RpcConnectorConfig.of(NodeRole.TRACKER, "tracker-" + address, "", SECRET)),
                null,
                timed.executor()));
    trackers.put(address, tracker);
    tracker.start();
    time.run();
    return tracker;
  }

  /** The address of the tracker that serves the group. */
  String owner() {
    NodeGroup group = database.stores().nodeGroups().find(GROUP).orElseThrow();
    return database.stores().liveTrackers().at(time.millis()).stream()
        .filter(tracker -> Integer.valueOf(tracker.number()).equals(group.owner()))
        .map(Tracker::address)
        .findFirst()
        .orElseThrow();
  }

  /** The address of a tracker that does not serve the group. */
  String another() {
    String owner = owner();
    return trackers.keySet().stream().filter(a -> !a.equals(owner)).findFirst().orElseThrow();
  }

  void stop(String address) {
    JobTracker tracker = trackers.remove(address);
    tracker.close();
    time.run();
  }

  JobClient client(String address) {
    JobClient client =
        JobClient.builder()
            .trackers(address)
            .clientGroup("shop")
            .id("client-of-" + address)
            .resources(
                new ClientResources(
                    timed.clock(),
                    timed.timer(),
                    timed.executor(),
                    timed.executor(),
                    network.connector(
                        RpcConnectorConfig.of(
                            NodeRole.CLIENT, "client-of-" + address, "shop", null)),
                    new Random(1)))
            .build();
    time.run();
    return client;
  }

  TaskTracker worker(String address, JobRunner runner) {
    TaskTracker worker =
        TaskTracker.builder()
            .trackers(address)
            .id("worker-of-" + address)
            .nodeGroup(GROUP)
            .slots(4)
            .runner(runner)
            .resources(
                new WorkerResources(
                    timed.clock(),
                    timed.timer(),
                    timed.executor(),
                    timed.executor(),
                    network.connector(
                        RpcConnectorConfig.of(
                            NodeRole.WORKER, "worker-of-" + address, GROUP, null))))
            .build();
    worker.start();
    time.run();
    return worker;
  }

  /** Connects as somebody who says to be of this role. */
  CompletableFuture<Session> connect(NodeRole role, Token token, String address) {
    CompletableFuture<Session> session =
        network
            .connector(RpcConnectorConfig.of(role, "somebody", GROUP, token))
            .connect(address, new Nobody());
    time.run();
    return session;
  }

  @Override
  public void close() {
    trackers.values().forEach(JobTracker::close);
    database.close();
  }
}
