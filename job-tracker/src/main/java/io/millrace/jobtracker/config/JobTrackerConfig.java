package io.millrace.jobtracker.config;

import io.millrace.internal.config.Bounds;
import io.millrace.internal.config.Settings;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;

/**
 * The full configuration of a standalone tracker, with its own database connection, threads and
 * port.
 *
 * @param rpc the address to listen at, and the nodes that may connect
 * @param rpcThreads the number of threads for connections, 1 to 64
 * @param store the database
 * @param tracker the settings that do not depend on the runtime
 * @param moreConnections connections to the database beyond those of the store's pool, 0 to 64, for
 *     threads of other components, for example a console
 */
public record JobTrackerConfig(
    RpcServerConfig rpc,
    int rpcThreads,
    StoreConfig store,
    TrackerSettings tracker,
    int moreConnections) {

  public static final int DEFAULT_RPC_THREADS = 2;

  public JobTrackerConfig {
    Bounds.between(1, 64).check("the number of RPC threads", rpcThreads);
    Bounds.between(0, 64).check("the number of further connections", moreConnections);
  }

  /**
   * Reads a tracker's configuration.
   *
   * @throws io.millrace.internal.config.ConfigException if the configuration is invalid; names
   *     every fault and its place
   */
  public static JobTrackerConfig read(Settings settings) {
    return settings.finish(JobTrackerConfig::readPart);
  }

  /**
   * Reads a tracker's keys from settings that also have other keys. Faults are recorded there and
   * reported by {@link Settings#finish}.
   */
  public static JobTrackerConfig readPart(Settings settings) {
    return new TrackerConfigReader(settings).read();
  }

  /** A configuration with no connections beyond those of the store's pool. */
  public JobTrackerConfig(
      RpcServerConfig rpc, int rpcThreads, StoreConfig store, TrackerSettings tracker) {
    this(rpc, rpcThreads, store, tracker, 0);
  }

  /** The same configuration with this number of connections beyond those of the store's pool. */
  public JobTrackerConfig withMoreConnections(int more) {
    return new JobTrackerConfig(rpc, rpcThreads, store, tracker, more);
  }

  /** The same configuration with another service configuration. */
  public JobTrackerConfig serving(ServiceConfig service) {
    return new JobTrackerConfig(rpc, rpcThreads, store, tracker.serving(service), moreConnections);
  }

  /**
   * A tracker that listens on the loopback address only, without tokens, over this database;
   * defaults for the rest.
   */
  public static JobTrackerConfig local(int port, StoreConfig store) {
    return new JobTrackerConfig(
        RpcServerConfig.onLoopback(port), DEFAULT_RPC_THREADS, store, TrackerSettings.byDefault());
  }
}
