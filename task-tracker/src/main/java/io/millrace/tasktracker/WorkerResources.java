package io.millrace.tasktracker;

import io.millrace.common.rpc.RpcConnector;
import io.millrace.common.time.Clock;
import io.millrace.common.time.Timer;
import java.util.concurrent.Executor;

/**
 * What a worker runs on. One that is given its parts starts no thread of its own, and closes none
 * of them: whoever made them does.
 *
 * @param clock tells the time
 * @param timer carries beats, time-outs and retries
 * @param loop runs the worker's own short tasks; they are put in order here, so any executor will
 *     do
 * @param jobs runs the bodies of jobs; never given more of them at a time than there are slots,
 *     beside those that are stuck
 * @param connector reaches trackers
 * @param disk runs what reads and writes the outbox; put in order here as well
 */
public record WorkerResources(
    Clock clock, Timer timer, Executor loop, Executor jobs, RpcConnector connector, Executor disk) {

  /** With the disk on the loop, for a worker that has no outbox or is driven by hand. */
  public WorkerResources(
      Clock clock, Timer timer, Executor loop, Executor jobs, RpcConnector connector) {
    this(clock, timer, loop, jobs, connector, loop);
  }
}
