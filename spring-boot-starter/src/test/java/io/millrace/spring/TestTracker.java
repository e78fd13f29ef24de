package io.millrace.spring;

import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.internal.rpc.ServerLimits;
import io.millrace.internal.rpc.TlsIdentity;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.config.TrackerSettings;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A tracker over a database in memory. */
final class TestTracker implements AutoCloseable {
  private final JobTracker tracker;

  private TestTracker(RpcServerConfig rpc) {
    StoreConfig store =
        StoreConfig.of("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    tracker =
        JobTracker.create(
            new JobTrackerConfig(
                rpc, JobTrackerConfig.DEFAULT_RPC_THREADS, store, TrackerSettings.byDefault()));
    tracker.start();
  }

  /** A tracker on any port. */
  static TestTracker start() {
    return start(0);
  }

  static TestTracker start(int port) {
    return new TestTracker(RpcServerConfig.onLoopback(port));
  }

  /** A tracker that encrypts. */
  static TestTracker start(TlsIdentity identity) {
    return start(RoleTokens.NONE, identity);
  }

  /** A tracker that requires tokens. */
  static TestTracker start(RoleTokens tokens) {
    return start(tokens, null);
  }

  private static TestTracker start(RoleTokens tokens, @Nullable TlsIdentity identity) {
    return new TestTracker(
        new RpcServerConfig(
            "127.0.0.1",
            0,
            null,
            0,
            tokens,
            identity,
            ServerLimits.DEFAULT,
            ConnectionLimits.DEFAULT));
  }

  String address() {
    return tracker.address();
  }

  @Override
  public void close() {
    tracker.close();
  }
}
