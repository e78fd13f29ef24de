package io.millrace.jobtracker.wiring;

import io.millrace.common.rpc.RpcConnector;
import io.millrace.common.rpc.RpcServer;
import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.alert.Alerting;
import io.millrace.jobtracker.store.Stores;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a tracker stands on and does not make itself, so that a whole cluster can be driven by hand
 * in one thread. The caller keeps it and closes it after the tracker.
 *
 * @param stores what is kept
 * @param rpc listens for nodes; started and closed by the tracker
 * @param time clock, timer and executor; the clock follows the database's
 * @param random spreads retries and timers; must be thread-safe
 * @param peers opens connections to other trackers; null for a tracker that tells others nothing
 * @param alerting who is told what goes wrong; null if nobody is
 * @param leaseExecutor renews the tracker's lease, also while the executor is busy
 */
public record TrackerRuntime(
    Stores stores,
    RpcServer rpc,
    TimedExecutor time,
    RandomGenerator random,
    @Nullable RpcConnector peers,
    @Nullable Alerting alerting,
    Executor leaseExecutor) {

  /** A tracker that tells nobody what goes wrong. */
  public TrackerRuntime(
      Stores stores,
      RpcServer rpc,
      TimedExecutor time,
      RandomGenerator random,
      @Nullable RpcConnector peers) {
    this(stores, rpc, time, random, peers, null, time.executor());
  }

  /** A tracker that tells others nothing. */
  public TrackerRuntime(Stores stores, RpcServer rpc, TimedExecutor time, RandomGenerator random) {
    this(stores, rpc, time, random, null, null, time.executor());
  }
}
