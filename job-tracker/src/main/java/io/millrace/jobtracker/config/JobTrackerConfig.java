package io.millrace.jobtracker.config;

import io.millrace.common.config.Settings;
import io.millrace.common.rpc.RpcServerConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;

/**
 * Everything a tracker with a database, threads and a port of its own needs to know.
 *
 * @param rpc where it listens, and whom it lets in
 * @param rpcThreads threads that carry connections
 * @param store the database
 * @param tracker what it does
 * @param moreConnections connections to the database beyond those of the store's pool, 0 to 64: for
 *     threads of others, such as a console's
 */
public record JobTrackerConfig(
    RpcServerConfig rpc,
    int rpcThreads,
    StoreConfig store,
    TrackerSettings tracker,
    int moreConnections) {

  public static final int DEFAULT_RPC_THREADS = 2;

  public JobTrackerConfig {
    if (rpcThreads < 1 || rpcThreads > 64) {
      throw new IllegalArgumentException("there are 1 to 64 RPC threads");
    }
    if (moreConnections < 0 || moreConnections > 64) {
      throw new IllegalArgumentException("there are 0 to 64 more connections");
    }
  }

  /**
   * Reads a tracker's configuration.
   *
   * @throws io.millrace.common.config.ConfigException naming everything that is wrong and where
   */
  public static JobTrackerConfig read(Settings settings) {
    return settings.finish(JobTrackerConfig::readPart);
  }

  /**
   * Reads a tracker's keys from settings that have others too; what is wrong is noted there and
   * told by {@link Settings#finish}.
   */
  public static JobTrackerConfig readPart(Settings settings) {
    return new TrackerConfigReader(settings).read();
  }

  /** With the store's own connections alone. */
  public JobTrackerConfig(
      RpcServerConfig rpc, int rpcThreads, StoreConfig store, TrackerSettings tracker) {
    this(rpc, rpcThreads, store, tracker, 0);
  }

  /** The same with so many connections to the database beyond those of the store's pool. */
  public JobTrackerConfig withMoreConnections(int more) {
    return new JobTrackerConfig(rpc, rpcThreads, store, tracker, more);
  }

  /** The same, with node groups served in another way. */
  public JobTrackerConfig serving(ServiceConfig service) {
    return new JobTrackerConfig(rpc, rpcThreads, store, tracker.serving(service), moreConnections);
  }

  /** Listens on this machine alone, without tokens, over this database; the rest by default. */
  public static JobTrackerConfig local(int port, StoreConfig store) {
    return new JobTrackerConfig(
        RpcServerConfig.onLoopback(port), DEFAULT_RPC_THREADS, store, TrackerSettings.byDefault());
  }
}
