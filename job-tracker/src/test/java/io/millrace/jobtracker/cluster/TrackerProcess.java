package io.millrace.jobtracker.cluster;

import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.config.NodeGroupConfig;
import io.millrace.jobtracker.config.ServiceConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.quota.QuotaConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A tracker in a JVM of its own, which serves until its input ends. */
final class TrackerProcess {
  static final Duration WORKER_LEASE = Duration.ofSeconds(3);

  /** Leases that run out while a test waits. */
  private static final ServiceConfig SHORT_LEASES =
      new ServiceConfig(
          Duration.ofSeconds(2),
          new ServiceConfig.Workers(WORKER_LEASE, Duration.ofSeconds(1)),
          ServiceConfig.Preload.DEFAULT,
          Duration.ofMinutes(5));

  private TrackerProcess() {}

  /** Starts one at this port of the loopback address, over this database. */
  static ChildJvm start(Path log, int port, StoreConfig store) {
    return ChildJvm.start(
        TrackerProcess.class, log, List.of(String.valueOf(port), store.url(), store.username()));
  }

  /** What the process runs with; a tracker in the test's JVM may as well. */
  static JobTrackerConfig config(int port, StoreConfig store) {
    return config(port, store, SHORT_LEASES);
  }

  /** The same with other leases. */
  static JobTrackerConfig config(int port, StoreConfig store, ServiceConfig service) {
    TrackerSettings usual = TrackerSettings.byDefault();
    return new JobTrackerConfig(
        RpcServerConfig.onLoopback(port),
        JobTrackerConfig.DEFAULT_RPC_THREADS,
        store,
        new TrackerSettings(
            usual.trackerId(),
            usual.defaultZone(),
            NodeGroupConfig.atMost(usual.nodeGroups().max()),
            usual.generation(),
            service,
            usual.retention(),
            QuotaConfig.DEFAULT));
  }

  public static void main(String[] args) throws IOException {
    StoreConfig store = StoreConfig.of(args[1], args[2], "");
    try (JobTracker tracker = JobTracker.create(config(Integer.parseInt(args[0]), store))) {
      tracker.start();
      ChildJvm.awaitEndOfInput();
    }
  }
}
