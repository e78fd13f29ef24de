package io.millrace.common.time;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A clock that follows an authority, such as a database. Between readings of the authority its time
 * advances by the base clock's {@link Clock#nanoTime}; before the first one it is the base clock.
 *
 * <p>Between two steps {@link #millis} never goes back: where a small correction lies behind what
 * was already told, the clock stands still until the corrected time has caught up. Thread-safe;
 * {@link #millis} takes no lock.
 */
public final class DisciplinedClock implements Clock {
  /**
   * From this difference on (5 s) the clock follows the authority at once, back as well, and says
   * so. It is also the longest time for which {@link #millis} can stand still.
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
    return current == null ? base.millis() : current.tell(base.nanoTime());
  }

  @Override
  public long nanoTime() {
    return base.nanoTime();
  }

  /**
   * Reads the authority once and follows it. What is known when the answer comes is that the
   * authority's time is now at least what it said, and at most that much more as the answer has
   * taken, and the millisecond that it was cut to. Inside of these bounds the clock stays as it is;
   * outside, it moves to the nearer one. So an answer that was held up, on whichever way, cannot
   * spoil what a quick one has set, and a clock that does not run fast never tells a time that the
   * authority has not reached: what waits for its time does not begin before it.
   *
   * <p>The first reading is followed wherever it lies, at its lower bound; take it before time is
   * told to anybody, and again if it took long: the clock is behind by up to that. Readings are
   * taken one after the other. If the authority throws, the clock goes on as before.
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

  /** What this clock holds for true at a point of the base clock's nanosecond line. */
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
                  current == null ? new AtomicLong(Long.MIN_VALUE) : current.latestTold);
    }
  }

  /**
   * Epoch time as a straight line over the base clock's nanoseconds.
   *
   * @param latestTold the latest time told in milliseconds; shared by all lines between two steps
   */
  private record Line(long originNanoTime, long originEpochNanos, AtomicLong latestTold) {

    long epochNanos(long nanoTime) {
      return originEpochNanos + (nanoTime - originNanoTime);
    }

    long tell(long nanoTime) {
      long millis = Math.floorDiv(epochNanos(nanoTime), NANOS_PER_MILLI);
      long latest = latestTold.get();
      return millis <= latest ? latest : latestTold.accumulateAndGet(millis, Math::max);
    }
  }
}
