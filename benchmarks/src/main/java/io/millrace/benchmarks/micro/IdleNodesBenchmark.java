package io.millrace.benchmarks.micro;

import io.millrace.internal.model.NodeRole;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures what a tracker spends on idle nodes over real connections: threads, heap, and processor
 * time, minus those of the process before the nodes connected and those of their own thread. A
 * worker pulls once a second; a client pings every three seconds.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(1)
@Warmup(iterations = 2)
@Measurement(iterations = 1) // JMH adds the counters of iterations up
@SuppressWarnings("NullAway.Init") // JMH calls the method of @Setup first
public class IdleNodesBenchmark {
  @Param({"WORKER", "CLIENT"})
  public NodeRole role;

  @Param({"0", "500", "2000"})
  public int nodes;

  /** The duration of a shot, in milliseconds. */
  @Param("5000")
  public long lookOn;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private JobTracker tracker;
  private IdleNodes idle;
  private int threadsWithoutNodes;
  private long heapWithoutNodes;

  @Setup
  public void connect() throws IOException, InterruptedException {
    StoreConfig store = StoreConfig.of("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    tracker = JobTracker.create(JobTrackerConfig.local(0, store));
    tracker.start();
    // Objects created for the first node of a kind do not belong to the cost of a node.
    try (IdleNodes first = new IdleNodes(tracker.address(), role, 1)) {
      await(first, 1, 2);
    }
    heapWithoutNodes = usedHeap();
    threadsWithoutNodes = threads.getThreadCount();
    idle = new IdleNodes(tracker.address(), role, nodes);
    await(idle, nodes, nodes);
  }

  private static void await(IdleNodes idle, int greeted, long answers) throws InterruptedException {
    while (idle.greeted() < greeted || idle.answers() < answers) {
      Thread.sleep(10);
    }
  }

  @TearDown
  public void disconnect() throws IOException {
    idle.close();
    tracker.close();
  }

  /** Only waits; the counters report the cost. */
  @Benchmark
  public void idle(Cost cost) throws InterruptedException {
    long cpuBefore = cpuNanos();
    long answersBefore = idle.answers();
    Thread.sleep(lookOn);
    double seconds = lookOn / 1_000.0;
    cost.cpuMillisPerSecond += (cpuNanos() - cpuBefore) / 1e6 / seconds;
    cost.requestsPerSecond += (idle.answers() - answersBefore) / seconds;
    cost.threads += threads.getThreadCount() - threadsWithoutNodes - 1;
    cost.heapBytesPerNode += (usedHeap() - heapWithoutNodes) / (double) Math.max(1, nodes);
    idle.greeted();
  }

  /** Returns the processor time of every thread of this process except the nodes' thread. */
  private long cpuNanos() {
    long sum = 0;
    for (long id : threads.getAllThreadIds()) {
      sum += id == idle.threadId() ? 0 : Math.max(0, threads.getThreadCpuTime(id));
    }
    return sum;
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    System.gc();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** The tracker's cost for the nodes. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Cost {
    public double cpuMillisPerSecond;
    public double requestsPerSecond;
    public double threads;
    public double heapBytesPerNode;
  }
}
