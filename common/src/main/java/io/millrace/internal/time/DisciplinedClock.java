package io.millrace.internal.time;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A clock that follows an authority, such as a database. Between readings of the authority its time
 * advances by the base clock's {@link Clock#nanoTime}; before the first one it is the base clock.
 *
 * <p>Between two steps {@link #millis} never goes back: if a small correction is behind a time
 * already returned, the clock stands still until the corrected time has caught up. Thread-safe;
 * {@link #millis} takes no lock.
 */
public final class DisciplinedClock implements Clock {
  /**
   * From this difference on (5 s) the clock follows the authority at once, even backwards, and
   * reports {@link ClockCorrection.Kind#STEPPED}. It is also the longest time that {@link #millis}
   * can stand still.
   */
  public static final Duration STEP = Duration.ofSeconds(5);

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long STEP_NANOS = STEP.toNanos();

  private final Clock base;
  private final Object readingLock = new Object();
  private volatile @Nullable Line line;

  public DisciplinedClock(Clock base) {
    this.base = base;
  }

  @Override
  public long millis() {
    Line current = line;
    return current == null ? base.millis() : current.millisAt(base.nanoTime());
  }

  @Override
  public long nanoTime() {
    return base.nanoTime();
  }

  /**
   * Reads the authority once and follows it. When the answer arrives, the authority's time is at
   * least the answer, and at most the answer plus the round trip plus the millisecond lost by
   * rounding down. Within these bounds the clock stays as it is; outside, it moves to the nearer
   * bound. So a delayed answer, in either direction, does not undo the result of a quick one. A
   * clock that does not run fast never returns a time that the authority has not reached: nothing
   * starts before its time.
   *
   * <p>The first reading always sets the clock, to its lower bound. Take it before anything reads
   * the clock, and repeat it if it took long: the clock may be behind by the round trip. Readings
   * run one after the other. If the authority throws, the clock is unchanged.
   *
   * @param authorityMillis reads the authority's epoch milliseconds
   * @return what the reading changed; a caller should report {@link ClockCorrection.Kind#STEPPED}
   */
  public ClockCorrection discipline(LongSupplier authorityMillis) {
    synchronized (readingLock) {
      long sent = base.nanoTime();
      long authority = Math.multiplyExact(authorityMillis.getAsLong(), NANOS_PER_MILLI);
      long received = base.nanoTime();
      long roundTrip = received - sent;
      long present = presentNanos(received);
      long latest = authority + roundTrip + NANOS_PER_MILLI;
      long target = line == null ? authority : Math.max(authority, Math.min(present, latest));
      ClockCorrection.Kind kind = kindOf(target - present);
      follow(kind, received, target);
      return new ClockCorrection(
          kind, Duration.ofNanos(target - present), Duration.ofNanos(roundTrip));
    }
  }

  /** This clock's time in epoch nanoseconds at a reading of the base clock's {@code nanoTime}. */
  private long presentNanos(long nanoTime) {
    Line current = line;
    if (current != null) {
      return current.epochNanos(nanoTime);
    }
    return base.millis() * NANOS_PER_MILLI - (base.nanoTime() - nanoTime);
  }

  private ClockCorrection.Kind kindOf(long correction) {
    if (line == null) {
      return ClockCorrection.Kind.FIRST;
    }
    if (correction == 0) {
      return ClockCorrection.Kind.AGREED;
    }
    return Math.abs(correction) < STEP_NANOS
        ? ClockCorrection.Kind.ADJUSTED
        : ClockCorrection.Kind.STEPPED;
  }

  private void follow(ClockCorrection.Kind kind, long nanoTime, long epochNanos) {
    Line current = line;
    switch (kind) {
      case AGREED -> {}
      case FIRST, STEPPED -> line = new Line(nanoTime, epochNanos, new AtomicLong(Long.MIN_VALUE));
      case ADJUSTED ->
          line =
              new Line(
                  nanoTime,
                  epochNanos,
                  current == null ? new AtomicLong(Long.MIN_VALUE) : current.latestReturned);
    }
  }

  /**
   * Epoch time as a linear function of the base clock's nanoseconds.
   *
   * @param latestReturned the latest time returned, in milliseconds; shared by all lines between
   *     two steps
   */
  private record Line(long originNanoTime, long originEpochNanos, AtomicLong latestReturned) {

    long epochNanos(long nanoTime) {
      return originEpochNanos + (nanoTime - originNanoTime);
    }

    long millisAt(long nanoTime) {
      long millis = Math.floorDiv(epochNanos(nanoTime), NANOS_PER_MILLI);
      long latest = latestReturned.get();
      return millis <= latest ? latest : latestReturned.accumulateAndGet(millis, Math::max);
    }
  }
}
