package io.millrace.internal.time;

import java.time.Duration;
import java.time.Instant;

/**
 * A clock that moves only on request: for tests, and for driving a cluster by hand. {@link
 * #advance} lets time pass; {@link #set} changes the time of day without letting time pass.
 * Thread-safe.
 */
public final class ManualClock implements Clock {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private long epochNanos;
  private long nanoTime;

  public ManualClock(Instant start) {
    this(start.toEpochMilli());
  }

  /** Starts at these epoch milliseconds, with {@link #nanoTime} at 0. */
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

  /** Sets the time of day, forward or back; {@link #nanoTime} does not change. */
  public void set(Instant instant) {
    long nanos = Math.multiplyExact(instant.toEpochMilli(), NANOS_PER_MILLI);
    synchronized (this) {
      epochNanos = nanos;
    }
  }

  synchronized void advanceNanos(long nanos) {
    if (nanos < 0) {
      throw new IllegalArgumentException("time cannot go backwards, by " + nanos + " ns");
    }
    epochNanos += nanos;
    nanoTime += nanos;
  }

  /** Lets time pass until {@link #nanoTime} reaches this point; does nothing if it is past it. */
  synchronized void advanceToNanoTime(long point) {
    advanceNanos(Math.max(0, point - nanoTime));
  }

  /** The value of {@link #millis} after this many nanoseconds. */
  synchronized long millisAfter(long nanos) {
    return Math.floorDiv(epochNanos + nanos, NANOS_PER_MILLI);
  }

  @Override
  public String toString() {
    return "ManualClock " + now();
  }
}
