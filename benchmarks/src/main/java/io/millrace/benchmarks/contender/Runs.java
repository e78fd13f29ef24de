package io.millrace.benchmarks.contender;

import io.millrace.benchmarks.measure.WallClock;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the jobs that ran in this process have told, since the round began. The jobs find it by
 * themselves, because peers make the objects that run their jobs, and so there is one of it.
 * Thread-safe.
 */
public final class Runs {
  private static volatile Runs current = new Runs(0);

  private final AtomicInteger executed = new AtomicInteger();
  private final AtomicInteger repeated = new AtomicInteger();
  private final AtomicLong firstMicros = new AtomicLong(Long.MAX_VALUE);
  private final AtomicIntegerArray times;

  /** Written by one run each; whoever runs again writes again. */
  private final long[] lateMicros;

  private Runs(int jobs) {
    this.times = new AtomicIntegerArray(jobs);
    this.lateMicros = new long[jobs];
  }

  /** Begins a round of jobs with numbers below this one. */
  public static void begin(int jobs) {
    current = new Runs(jobs);
  }

  /** What has been told in this round so far. */
  public static Runs current() {
    return current;
  }

  /** Called by the body of each job, with its parameters. */
  public static void ran(String payload) {
    long now = WallClock.micros();
    Runs runs = current;
    BenchJob job = BenchJob.of(payload);
    if (job.number() < runs.lateMicros.length) {
      runs.add(job, now);
    }
  }

  /**
   * Called by the body of a job that runs again and again: each of its runs counts as a job, with
   * the next free number.
   *
   * @param dueAt of this run, in epoch milliseconds
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

  /** Says that work on the first of the jobs has begun, unless that was said before. */
  void began(long micros) {
    if (firstMicros.get() > micros) {
      long unused = firstMicros.accumulateAndGet(micros, Math::min);
    }
  }

  /** Runs so far, those that came twice included. */
  public int executed() {
    return executed.get();
  }

  /** Runs of jobs that had run before. */
  public int repeated() {
    return repeated.get();
  }

  /** When the first job ran, in epoch microseconds; the greatest number if none has. */
  public long firstMicros() {
    return firstMicros.get();
  }

  /**
   * How late those of the jobs ran that have run, in microseconds, sorted.
   *
   * @param from number of the first job that counts
   * @param to number of the first one that does not count any more
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
