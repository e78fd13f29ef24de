package io.millrace.jobclient;

import io.millrace.common.lifecycle.NamedThreads;
import io.millrace.common.model.NodeRole;
import io.millrace.common.rpc.ConnectionLimits;
import io.millrace.common.rpc.NettyRpcConnector;
import io.millrace.common.rpc.RpcConnector;
import io.millrace.common.rpc.RpcConnectorConfig;
import io.millrace.common.rpc.Token;
import io.millrace.common.time.Clock;
import io.millrace.common.time.SystemClock;
import io.millrace.common.time.WheelTimer;
import java.security.SecureRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The parts that a client makes for itself when it is given none. All threads are daemons, and
 * those of the executors end when they have nothing to do.
 */
final class OwnParts implements AutoCloseable {
  private static final int LISTENER_THREADS = 4;
  private static final int RPC_THREADS = 1;
  private static final long IDLE_SECONDS = 30;
  private static final long TASK_SECONDS = 1;

  private final WheelTimer timer;
  private final ThreadPoolExecutor tasks;
  private final ThreadPoolExecutor listeners;
  private final ThreadPoolExecutor disk;
  private final RpcConnector connector;
  private final ClientParts parts;

  /**
   * Starts the wheel and the network's thread.
   *
   * @throws IllegalArgumentException if the token, the client group or the TLS files are wrong
   */
  static OwnParts start(JobClientConfig config) {
    Clock clock = new SystemClock();
    RpcConnectorConfig rpc = rpcConfig(config);
    WheelTimer timer = new WheelTimer("millrace-client-wheel");
    try {
      return new OwnParts(clock, timer, new NettyRpcConnector(rpc, timer, clock, RPC_THREADS));
    } catch (RuntimeException e) {
      timer.close();
      throw e;
    }
  }

  private static RpcConnectorConfig rpcConfig(JobClientConfig config) {
    ConnectionLimits usual = ConnectionLimits.OF_CALLER;
    ConnectionLimits limits =
        new ConnectionLimits(
            usual.maxFrameBytes(),
            usual.maxRequestsUnderWay(),
            usual.maxUnsentBytes(),
            config.bounds().connectTimeout(),
            usual.idleTimeout());
    Token token = config.token() == null ? null : Token.of(config.token());
    return new RpcConnectorConfig(
        NodeRole.CLIENT, config.id(), config.groupOnTheWire(), token, config.tls(), limits);
  }

  private OwnParts(Clock clock, WheelTimer timer, RpcConnector connector) {
    this.timer = timer;
    this.connector = connector;
    this.tasks = threads("millrace-client", 1);
    this.listeners = threads("millrace-client-listener", LISTENER_THREADS);
    this.disk = threads("millrace-client-outbox", 1);
    this.parts =
        new ClientParts(clock, timer, tasks, listeners, disk, connector, new SecureRandom());
  }

  /** Their queues are bounded by what is in flight: jobs, and requests of the tracker. */
  private static ThreadPoolExecutor threads(String name, int count) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            count,
            count,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            NamedThreads.daemon(name));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  ClientParts parts() {
    return parts;
  }

  /**
   * Listeners that run, and what waits for them, are let finish. So is what the connection does
   * now, which may still need the wheel; what comes after it finds the connection closed.
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
      // A task that runs for longer finds the wheel closed, and says so in the log.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
