package io.millrace.tasktracker;

import io.millrace.common.lifecycle.NamedThreads;
import io.millrace.common.rpc.RpcConnector;
import io.millrace.common.rpc.netty.NettyRpcConnector;
import io.millrace.common.time.Clock;
import io.millrace.common.time.SystemClock;
import io.millrace.common.time.WheelTimer;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a worker that was given nothing runs on: makes it, and closes it. Thread-safe. */
final class DefaultWorkerResources implements AutoCloseable {
  private static final int RPC_THREADS = 1;
  private static final long IDLE_SECONDS = 60;

  private final WheelTimer timer;
  private final ExecutorService loop;

  /** Bodies, all of them or those that no carrier takes up. */
  private final ExecutorService platformJobs;

  private final @Nullable ExecutorService virtualJobs;
  private final ExecutorService disk;
  private final RpcConnector connector;
  private final WorkerResources resources;

  DefaultWorkerResources(TaskTrackerConfig config) {
    Clock clock = new SystemClock();
    timer = new WheelTimer("millrace-worker-timer");
    loop = pool("millrace-worker-loop", 1);
    boolean virtual = config.bodyThreads().areVirtual(VirtualThreads.feature());
    String jobs = "millrace-job-" + config.nodeGroup();
    platformJobs =
        pool(
            virtual ? jobs + "-platform" : jobs,
            config.pull().slots() + config.execute().maxStuckBodies());
    virtualJobs = virtual ? VirtualThreads.perTask(jobs) : null;
    disk = pool("millrace-worker-disk", 1);
    connector = connect(config, clock);
    Executor bodies =
        virtualJobs == null
            ? platformJobs
            : new VirtualBodies(virtualJobs, platformJobs, timer, clock);
    resources = new WorkerResources(clock, timer, loop, bodies, connector, disk);
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

  /** Threads are made when they are needed and end when they are not; the pool never refuses. */
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

  /** Interrupts bodies that did not end. Idempotent. */
  @Override
  public void close() {
    connector.close();
    if (virtualJobs != null) {
      virtualJobs.shutdownNow();
    }
    platformJobs.shutdownNow();
    // Before the loop: a timer that runs out now would find it shut.
    timer.close();
    loop.shutdown();
    disk.shutdown();
  }
}
