package io.millrace.benchmarks.micro;

import io.millrace.internal.lifecycle.NamedThreads;
import io.millrace.internal.time.Timer;
import io.millrace.internal.time.WheelTimer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Measures the cost of the timer wheel of a process: waiting, scheduling, and running idle. */
@State(Scope.Thread)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls the method of @Setup first
public class WheelBenchmark {
  private static final String WHEEL_THREAD = "benchmark-wheel";
  private static final Duration DELAY = Duration.ofMillis(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(6);
  private static final long IDLE_MILLIS = 1_000;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final Semaphore arrived = new Semaphore(0);
  private WheelTimer wheel;
  private ExecutorService executor;
  private long wheelThread;

  @Setup
  public void start() {
    wheel = new WheelTimer(WHEEL_THREAD);
    executor = Executors.newSingleThreadExecutor(NamedThreads.daemon("benchmark-executor"));
    wheelThread =
        Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
            .filter(info -> info != null && info.getThreadName().equals(WHEEL_THREAD))
            .mapToLong(ThreadInfo::getThreadId)
            .findAny()
            .orElseThrow();
  }

  @TearDown
  public void stop() {
    wheel.close();
    executor.shutdownNow();
  }

  /**
   * Measures the time from scheduling a task in a millisecond to the end of the task on its
   * executor: a millisecond, the rest of the tick, and two hand-overs.
   */
  @Benchmark
  @BenchmarkMode(Mode.SampleTime)
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public void afterAMillisecond() throws InterruptedException {
    Timer.Timeout unused = wheel.schedule(DELAY, executor, arrived::release);
    arrived.acquire();
  }

  /**
   * Schedules and cancels a timeout that is not needed, as is usual for a request or a parked pull.
   */
  @Benchmark
  @BenchmarkMode(Mode.AverageTime)
  @OutputTimeUnit(TimeUnit.NANOSECONDS)
  public boolean scheduledAndCancelled() {
    return wheel.schedule(TIMEOUT, executor, arrived::release).cancel();
  }

  /** Runs an idle wheel for a second; the counter reports the processor time of its thread. */
  @Benchmark
  @BenchmarkMode(Mode.SingleShotTime)
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  @Measurement(iterations = 1) // JMH adds the counters of iterations up
  public void idleSecond(IdleCost cost) throws InterruptedException {
    long before = threads.getThreadCpuTime(wheelThread);
    Thread.sleep(IDLE_MILLIS);
    cost.cpuMicros += (threads.getThreadCpuTime(wheelThread) - before) / 1_000.0;
  }

  /** The processor time of the wheel's thread, in microseconds per second. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class IdleCost {
    public double cpuMicros;
  }
}
