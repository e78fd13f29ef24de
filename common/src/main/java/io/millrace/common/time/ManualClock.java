package io.millrace.common.time;

import java.time.Duration;
import java.time.Instant;

/**
 * A clock that moves only when told to: for tests, and for driving a cluster by hand. Time passes
 * with {@link #advance}; {@link #set} is somebody setting the clock, which no time passes for.
 * Thread-safe.
 */
public final class ManualClock implements Clock {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private long epochNanos;
  private long nanoTime;

  public ManualClock(Instant start) {
    this(start.toEpochMilli());
  }

  /** Starts at these epoch milliseconds, with a nanosecond line that starts at 0. */
  public ManualClock(long startMillis) {
    this.epochNanos = Math.multiplyExact(startMillis, NANOS_PER_MILLI);
  }

  @Override
  public synchronized long millis() {
    return Math.floorDiv(epochNanos, NANOS_PER_MILLI);
  }

  @Override
  public synchronized long nanoTime() {
    return nanoTime;
  }

  /**
   * Lets time pass.
   *
   * @throws IllegalArgumentException if the duration is negative
   */
  public void advance(Duration duration) {
    advanceNanos(duration.toNanos());
  }

  /** Sets the time of day, forward or back, while the nanosecond line stands still. */
  public void set(Instant instant) {
    long nanos = Math.multiplyExact(instant.toEpochMilli(), NANOS_PER_MILLI);
    synchronized (this) {
      epochNanos = nanos;
    }
  }

  synchronized void advanceNanos(long nanos) {
    if (nanos < 0) {
      throw new IllegalArgumentException("time cannot pass backwards, by " + nanos + " ns");
    }
    epochNanos += nanos;
    nanoTime += nanos;
  }

  /** Lets time pass until the nanosecond line is at this point; none if it is past it already. */
  synchronized void advanceToNanoTime(long point) {
    advanceNanos(Math.max(0, point - nanoTime));
  }

  /** What {@link #millis} will say after this many nanoseconds. */
  synchronized long millisAfter(long nanos) {
    return Math.floorDiv(epochNanos + nanos, NANOS_PER_MILLI);
  }

  @Override
  public String toString() {
    return "ManualClock " + now();
  }
}
