package io.millrace.jobclient.internal.resources;

import io.millrace.internal.lifecycle.NamedThreads;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.netty.NettyRpcConnector;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.SystemClock;
import io.millrace.internal.time.WheelTimer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The resources that a client creates for itself when it receives none. All threads are daemons.
 * The threads of the executors end after 30 s without a task.
 */
public final class DefaultClientResources implements AutoCloseable {
  private static final int LISTENER_THREADS = 4;
  private static final int RPC_THREADS = 1;
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final long TASK_SECONDS = 1;

  private final WheelTimer timer;
  private final ExecutorService tasks;
  private final ExecutorService listeners;
  private final ExecutorService disk;
  private final RpcConnector connector;
  private final ClientResources resources;

  /** Starts the timer and the network thread. */
  public static DefaultClientResources start(RpcConnectorConfig config) {
    Clock clock = new SystemClock();
    WheelTimer timer = new WheelTimer("millrace-client-wheel");
    try {
      return new DefaultClientResources(
          clock, timer, new NettyRpcConnector(config, timer, clock, RPC_THREADS));
    } catch (RuntimeException e) {
      timer.close();
      throw e;
    }
  }

  private DefaultClientResources(Clock clock, WheelTimer timer, RpcConnector connector) {
    this.timer = timer;
    this.connector = connector;
    this.tasks = threads("millrace-client", 1);
    this.listeners = threads("millrace-client-listener", LISTENER_THREADS);
    this.disk = threads("millrace-client-outbox", 1);
    this.resources =
        new ClientResources(clock, timer, tasks, listeners, disk, connector, new SecureRandom());
  }

  /** The bounds of jobs in flight and of requests from trackers bound the pool's queue. */
  private static ExecutorService threads(String name, int count) {
    return NamedThreads.daemon(name).pool(count, IDLE);
  }

  public ClientResources resources() {
    return resources;
  }

  /**
   * Closes the resources. Listener calls that run or wait may finish. The current work of the
   * connection may finish too, because it may still need the timer; later work finds the connection
   * closed.
   */
  @Override
  public void close() {
    connector.close();
    awaitTasks();
    timer.close();
    tasks.shutdown();
    listeners.shutdown();
    disk.shutdown();
  }

  private void awaitTasks() {
    try {
      Object unused = tasks.submit(() -> {}).get(TASK_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      // A task that runs longer finds the timer closed, and logs that.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
