package io.millrace.jobclient;

import io.millrace.common.rpc.RpcConnector;
import io.millrace.common.time.Clock;
import io.millrace.common.time.Timer;
import java.util.Random;
import java.util.concurrent.Executor;

/**
 * What a client runs on. One that is given its parts starts no thread of its own, and closes none
 * of them: whoever made them does.
 *
 * @param clock tells the time
 * @param timer carries time-outs and retries
 * @param tasks runs the client's own short tasks; nothing that blocks runs there
 * @param listeners runs the application: result listeners, and what depends on a submit's future
 * @param connector reaches trackers, as this client
 * @param disk runs what reads and writes the outbox, if there is one; may block
 * @param random gives the client its part of submission ids, and spreads retries; equal seeds give
 *     equal ids
 */
public record ClientParts(
    Clock clock,
    Timer timer,
    Executor tasks,
    Executor listeners,
    Executor disk,
    RpcConnector connector,
    Random random) {

  /** The outbox is used by the tasks, for those who drive everything in one thread. */
  public ClientParts(
      Clock clock,
      Timer timer,
      Executor tasks,
      Executor listeners,
      RpcConnector connector,
      Random random) {
    this(clock, timer, tasks, listeners, tasks, connector, random);
  }
}
