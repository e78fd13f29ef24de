package io.millrace.jobclient.internal.resources;

import io.millrace.api.NodeResources;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.Timer;
import java.util.Random;
import java.util.concurrent.Executor;

/**
 * The clock, timer, threads and network of a client. A client that receives its resources starts no
 * thread of its own and does not close the resources; their owner closes them.
 *
 * @param clock provides the time
 * @param timer schedules time-outs and retries
 * @param tasks runs the client's own short tasks, which never block
 * @param listeners runs code of the application: listeners, and code that depends on the future of
 *     a submit
 * @param connector connects to trackers, as this client
 * @param disk runs the tasks that read and write the outbox, if there is one; they may block
 * @param random provides the client's part of submission ids, and spreads retries over time; equal
 *     seeds give equal ids
 */
public record ClientResources(
    Clock clock,
    Timer timer,
    Executor tasks,
    Executor listeners,
    Executor disk,
    RpcConnector connector,
    Random random)
    implements NodeResources {

  /**
   * Creates resources whose {@code tasks} executor also runs the outbox, for a client that is
   * driven in one thread.
   */
  public ClientResources(
      Clock clock,
      Timer timer,
      Executor tasks,
      Executor listeners,
      RpcConnector connector,
      Random random) {
    this(clock, timer, tasks, listeners, tasks, connector, random);
  }
}
