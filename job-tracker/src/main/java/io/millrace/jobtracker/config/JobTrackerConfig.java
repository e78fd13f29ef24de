package io.millrace.jobtracker.config;

import io.millrace.common.config.Settings;
import io.millrace.common.rpc.RpcServerConfig;
import io.millrace.jobtracker.console.ConsoleConfig;
import io.millrace.jobtracker.store.jdbc.StoreConfig;
import org.jspecify.annotations.Nullable;

/**
 * Everything a tracker with a database, threads and a port of its own needs to know.
 *
 * @param rpc where it listens, and whom it lets in
 * @param rpcThreads threads that carry connections
 * @param store the database
 * @param tracker what it does
 * @param console where it listens for those who operate it; null if it does not
 * @param alerts who is told what goes wrong; null if nobody is
 */
public record JobTrackerConfig(
    RpcServerConfig rpc,
    int rpcThreads,
    StoreConfig store,
    TrackerSettings tracker,
    @Nullable ConsoleConfig console,
    @Nullable AlertConfig alerts) {

  public static final int DEFAULT_RPC_THREADS = 2;

  public JobTrackerConfig {
    if (rpcThreads < 1 || rpcThreads > 64) {
      throw new IllegalArgumentException("there are 1 to 64 RPC threads");
    }
  }

  /**
   * Reads a tracker's configuration.
   *
   * @throws io.millrace.common.config.ConfigException naming everything that is wrong and where
   */
  public static JobTrackerConfig read(Settings settings) {
    return settings.finish(all -> new TrackerConfigReader(all).read());
  }

  /** Without a console and without alerts. */
  public JobTrackerConfig(
      RpcServerConfig rpc, int rpcThreads, StoreConfig store, TrackerSettings tracker) {
    this(rpc, rpcThreads, store, tracker, null, null);
  }

  /** The same with a console. */
  public JobTrackerConfig withConsole(ConsoleConfig where) {
    return new JobTrackerConfig(rpc, rpcThreads, store, tracker, where, alerts);
  }

  /** The same, with node groups served in another way. */
  public JobTrackerConfig serving(ServiceConfig service) {
    return new JobTrackerConfig(rpc, rpcThreads, store, tracker.serving(service), console, alerts);
  }

  /** The same with alerts. */
  public JobTrackerConfig withAlerts(AlertConfig told) {
    return new JobTrackerConfig(rpc, rpcThreads, store, tracker, console, told);
  }

  /**
   * Listens on this machine alone, without tokens, over this database; the rest by default, and no
   * console or alerts.
   */
  public static JobTrackerConfig local(int port, StoreConfig store) {
    return new JobTrackerConfig(
        RpcServerConfig.onLoopback(port), DEFAULT_RPC_THREADS, store, TrackerSettings.byDefault());
  }
}
