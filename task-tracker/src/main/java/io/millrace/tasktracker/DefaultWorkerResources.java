package io.millrace.tasktracker;

import io.millrace.internal.lifecycle.NamedThreads;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.rpc.netty.NettyRpcConnector;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.SystemClock;
import io.millrace.internal.time.WheelTimer;
import io.millrace.tasktracker.internal.resources.WorkerResources;
import io.millrace.tasktracker.internal.threads.SpilloverExecutor;
import io.millrace.tasktracker.internal.threads.VirtualThreads;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** Creates and closes the resources of a worker that receives none. Thread-safe. */
final class DefaultWorkerResources implements AutoCloseable {
  private static final int RPC_THREADS = 1;
  private static final Duration IDLE = Duration.ofSeconds(60);

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

  private static ExecutorService pool(String name, int threads) {
    return NamedThreads.user(name).pool(threads, IDLE);
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
