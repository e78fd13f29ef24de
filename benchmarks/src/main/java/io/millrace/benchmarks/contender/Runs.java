package io.millrace.benchmarks.contender;

import io.millrace.benchmarks.measure.WallClock;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The runs that jobs have reported in this process since the round began. It is a singleton that
 * the jobs access statically, because peers create the objects that run their jobs. Thread-safe.
 */
public final class Runs {
  private static volatile Runs current = new Runs(0);

  private final AtomicInteger executed = new AtomicInteger();
  private final AtomicInteger repeated = new AtomicInteger();
  private final AtomicLong firstMicros = new AtomicLong(Long.MAX_VALUE);
  private final AtomicIntegerArray times;

  /** Each element is written by one run; a repeated run overwrites it. */
  private final long[] lateMicros;

  private Runs(int jobs) {
    this.times = new AtomicIntegerArray(jobs);
    this.lateMicros = new long[jobs];
  }

  /** Begins a round of jobs with numbers below this one. */
  public static void begin(int jobs) {
    current = new Runs(jobs);
  }

  /** Returns the runs of this round so far. */
  public static Runs current() {
    return current;
  }

  /** Reports a run; called by the invocation of each job, with its parameters. */
  public static void ran(String payload) {
    long now = WallClock.micros();
    Runs runs = current;
    BenchJob job = BenchJob.of(payload);
    if (job.number() < runs.lateMicros.length) {
      runs.add(job, now);
    }
  }

  /**
   * Reports a run of a recurring job; called by its invocation. Each of its runs counts as a job,
   * with the next free number.
   *
   * @param dueAt when this run was due, in epoch milliseconds
   */
  public static void ran(long dueAt) {
    long now = WallClock.micros();
    Runs runs = current;
    int number = runs.executed.getAndIncrement();
    if (number < runs.lateMicros.length) {
      runs.lateMicros[number] = now - dueAt * 1_000;
      runs.times.set(number, 1);
    }
  }

  private void add(BenchJob job, long now) {
    lateMicros[job.number()] = now - job.dueAt() * 1_000;
    if (times.incrementAndGet(job.number()) > 1) {
      int unused = repeated.incrementAndGet();
    }
    began(now);
    int unused = executed.incrementAndGet();
  }

  /** Records the begin of work on a job; the earliest time counts as the begin of the first job. */
  void began(long micros) {
    if (firstMicros.get() > micros) {
      long unused = firstMicros.accumulateAndGet(micros, Math::min);
    }
  }

  /** Returns the number of runs so far, including repeated ones. */
  public int executed() {
    return executed.get();
  }

  /** Returns the number of repeated runs of jobs. */
  public int repeated() {
    return repeated.get();
  }

  /** Returns when the first job ran, in epoch microseconds; {@link Long#MAX_VALUE} if none has. */
  public long firstMicros() {
    return firstMicros.get();
  }

  /**
   * Returns the lateness of the jobs that have run, in microseconds, sorted.
   *
   * @param from the number of the first job that counts
   * @param to the number after that of the last job that counts
   */
  public long[] lateMicros(int from, int to) {
    long[] late = new long[to - from];
    int count = 0;
    for (int number = from; number < to; number++) {
      if (times.get(number) > 0) {
        late[count++] = lateMicros[number];
      }
    }
    long[] sorted = Arrays.copyOf(late, count);
    Arrays.sort(sorted);
    return sorted;
  }
}
