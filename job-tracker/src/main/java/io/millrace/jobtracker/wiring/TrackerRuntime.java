package io.millrace.jobtracker.wiring;

import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.rpc.RpcServer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.observe.TrackerObserver;
import io.millrace.jobtracker.store.Stores;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The parts that a tracker uses but does not make, so that a caller can drive a whole cluster in
 * one thread. The caller owns them and closes them after the tracker.
 *
 * @param stores the stores of the tracker
 * @param rpc listens for nodes; the tracker starts and closes it
 * @param time clock, timer and executor; the clock follows the database's clock
 * @param random spreads retries and timers; must be thread-safe
 * @param peers opens connections to other trackers; null if this tracker calls no other tracker
 * @param observing makes an observer of the tracker; null for none
 * @param leaseExecutor renews the tracker's lease, also while the executor is busy
 */
public record TrackerRuntime(
    Stores stores,
    RpcServer rpc,
    TimedExecutor time,
    RandomGenerator random,
    @Nullable RpcConnector peers,
    TrackerObserver.@Nullable Factory observing,
    Executor leaseExecutor) {

  /**
   * Parts without an observer and without connections to other trackers; the executor renews the
   * lease.
   */
  public TrackerRuntime(Stores stores, RpcServer rpc, TimedExecutor time, RandomGenerator random) {
    this(stores, rpc, time, random, null, null, time.executor());
  }
}
