package io.millrace.tasktracker.internal.resources;

import io.millrace.api.NodeResources;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.Timer;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * The clock, timer, threads and network of a worker. A worker that receives its resources starts no
 * thread of its own and does not close the resources; their creator closes them.
 *
 * @param clock provides the time
 * @param timer schedules heartbeats, time-outs and retries
 * @param loop runs the worker's own short tasks; the worker serializes them, so any executor is
 *     suitable
 * @param jobs runs the invocations of jobs; it receives at most as many invocations at a time as
 *     there are slots, in addition to stuck invocations
 * @param connector connects to trackers
 * @param disk runs the tasks that read and write the outbox; the worker serializes these too
 * @param beforeWait receives each answer that an invocation waits for, in the invocation's thread,
 *     before it blocks that thread; where this is the only thread, it lets everything else happen
 */
public record WorkerResources(
    Clock clock,
    Timer timer,
    Executor loop,
    Executor jobs,
    RpcConnector connector,
    Executor disk,
    Consumer<Future<?>> beforeWait)
    implements NodeResources {

  /** Creates resources of a worker whose invocations simply block while they wait. */
  public WorkerResources(
      Clock clock,
      Timer timer,
      Executor loop,
      Executor jobs,
      RpcConnector connector,
      Executor disk) {
    this(clock, timer, loop, jobs, connector, disk, answer -> {});
  }

  /**
   * Creates resources whose {@code loop} executor also uses the disk, for a worker that has no
   * outbox or is driven by hand.
   */
  public WorkerResources(
      Clock clock, Timer timer, Executor loop, Executor jobs, RpcConnector connector) {
    this(clock, timer, loop, jobs, connector, loop);
  }
}
