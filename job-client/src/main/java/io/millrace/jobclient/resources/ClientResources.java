package io.millrace.jobclient.resources;

import io.millrace.common.rpc.RpcConnector;
import io.millrace.common.time.Clock;
import io.millrace.common.time.Timer;
import java.util.Random;
import java.util.concurrent.Executor;

/**
 * What a client runs on. A client that is given its resources starts no thread of its own, and
 * closes none of them: their owner does.
 *
 * @param clock tells the time
 * @param timer carries time-outs and retries
 * @param tasks runs the client's own short tasks; nothing that blocks runs there
 * @param listeners runs code of the application: listeners, and what depends on a submit's future
 * @param connector reaches trackers, as this client
 * @param disk runs what reads and writes the outbox, if there is one; may block
 * @param random gives the client its part of submission ids, and spreads retries; equal seeds give
 *     equal ids
 */
public record ClientResources(
    Clock clock,
    Timer timer,
    Executor tasks,
    Executor listeners,
    Executor disk,
    RpcConnector connector,
    Random random) {

  /** The tasks use the outbox too: for a client that is driven in one thread. */
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
