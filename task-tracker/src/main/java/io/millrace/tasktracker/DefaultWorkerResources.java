package io.millrace.tasktracker;

import io.millrace.common.lifecycle.NamedThreads;
import io.millrace.common.rpc.RpcConnector;
import io.millrace.common.rpc.netty.NettyRpcConnector;
import io.millrace.common.time.Clock;
import io.millrace.common.time.SystemClock;
import io.millrace.common.time.WheelTimer;
import io.millrace.tasktracker.threads.SpilloverExecutor;
import io.millrace.tasktracker.threads.VirtualThreads;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Creates and closes the resources of a worker that receives none. Thread-safe. */
final class DefaultWorkerResources implements AutoCloseable {
  private static final int RPC_THREADS = 1;
  private static final long IDLE_SECONDS = 60;

  private final WheelTimer timer;
  private final ExecutorService loop;

  /** Runs all invocations, or with virtual threads those that get no carrier in time. */
  private final ExecutorService platformJobs;

  private final @Nullable ExecutorService virtualJobs;
  private final ExecutorService disk;
  private final RpcConnector connector;
  private final WorkerResources resources;

  DefaultWorkerResources(TaskTrackerConfig config) {
    Clock clock = new SystemClock();
    timer = new WheelTimer("millrace-worker-timer");
    loop = pool("millrace-worker-loop", 1);
    boolean virtual = config.runnerThreads().areVirtual(VirtualThreads.feature());
    String jobs = "millrace-job-" + config.nodeGroup();
    platformJobs =
        pool(
            virtual ? jobs + "-platform" : jobs,
            config.pull().slots() + config.execute().maxStuckInvocations());
    virtualJobs = virtual ? VirtualThreads.perTask(jobs) : null;
    disk = pool("millrace-worker-disk", 1);
    connector = connect(config, clock);
    Executor invocations =
        virtualJobs == null
            ? platformJobs
            : new SpilloverExecutor(virtualJobs, platformJobs, timer, clock);
    resources = new WorkerResources(clock, timer, loop, invocations, connector, disk);
  }

  private RpcConnector connect(TaskTrackerConfig config, Clock clock) {
    try {
      return new NettyRpcConnector(config.rpc(), timer, clock, RPC_THREADS);
    } catch (RuntimeException failure) {
      timer.close();
      throw failure;
    }
  }

  WorkerResources resources() {
    return resources;
  }

  /**
   * Creates a pool. Its threads are created on demand and end when idle. Its queue is unbounded, so
   * it rejects no task until it is shut down.
   */
  private static ExecutorService pool(String name, int threads) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            NamedThreads.user(name));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  /** Closes the resources and interrupts invocations that did not end. Idempotent. */
  @Override
  public void close() {
    connector.close();
    if (virtualJobs != null) {
      virtualJobs.shutdownNow();
    }
    platformJobs.shutdownNow();
    // The timer closes before the loop: a timer that fires now would find the loop shut down.
    timer.close();
    loop.shutdown();
    disk.shutdown();
  }
}
