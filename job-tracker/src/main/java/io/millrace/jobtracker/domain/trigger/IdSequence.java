package io.millrace.jobtracker.domain.trigger;

import java.util.function.BooleanSupplier;

/**
 * Issues 64-bit ids: 41 bits of milliseconds since 2026, 10 bits of tracker number, 12 bits of
 * sequence. An id is above every id issued or observed before, so the ids of one trigger rise and
 * an execution's id is a fencing token. When the clock stands still or steps back, ids run ahead of
 * it. Thread-safe.
 */
public final class IdSequence {
  /** 2026-01-01T00:00:00Z; the 41 bits last until 2095. */
  public static final long EPOCH_MILLIS = 1_767_225_600_000L;

  public static final int MAX_TRACKERS = 1 << 10;

  private static final int SEQUENCE_BITS = 12;
  private static final int TRACKER_BITS = 10;
  private static final int TIME_SHIFT = SEQUENCE_BITS + TRACKER_BITS;
  private static final long SEQUENCE_LIMIT = 1L << SEQUENCE_BITS;

  private final int tracker;
  private final BooleanSupplier numberIsHeld;
  private long lastTime;
  private long nextSequence;

  /**
   * @param tracker the tracker's leased number, 0 to 1023
   * @param highestKnown the highest id in any row of the store; 0 if there is none
   */
  public IdSequence(int tracker, long highestKnown) {
    this(tracker, highestKnown, () -> true);
  }

  /**
   * As above, for a number that is leased.
   *
   * @param numberIsHeld whether the tracker certainly holds the number; called for every id
   */
  public IdSequence(int tracker, long highestKnown, BooleanSupplier numberIsHeld) {
    if (tracker < 0 || tracker >= MAX_TRACKERS) {
      throw new IllegalArgumentException(
          "tracker number " + tracker + " is not between 0 and 1023");
    }
    this.tracker = tracker;
    this.numberIsHeld = numberIsHeld;
    observe(highestKnown);
  }

  /**
   * The lowest id that any tracker issues at this time, in epoch milliseconds. A lower id was
   * issued before this time. The reverse does not hold, as ids may run ahead of the clock.
   */
  public static long lowestAt(long millis) {
    return Math.max(millis - EPOCH_MILLIS, 0) << TIME_SHIFT;
  }

  /**
   * The next id.
   *
   * @throws LapsedNumberException if another tracker may hold the number by now
   */
  public synchronized long next(long nowMillis) {
    if (!numberIsHeld.getAsBoolean()) {
      throw new LapsedNumberException(tracker);
    }
    long time = Math.max(nowMillis - EPOCH_MILLIS, 0);
    if (time > lastTime) {
      lastTime = time;
      nextSequence = 0;
    } else if (nextSequence == SEQUENCE_LIMIT) {
      lastTime++;
      nextSequence = 0;
    }
    return lastTime << TIME_SHIFT | (long) tracker << SEQUENCE_BITS | nextSequence++;
  }

  /** Records an id that was read from the store or received: later ids are above it. */
  public synchronized void observe(long id) {
    long current = lastTime << TIME_SHIFT | (long) tracker << SEQUENCE_BITS | nextSequence;
    if (id >= current) {
      lastTime = (id >>> TIME_SHIFT) + 1;
      nextSequence = 0;
    }
  }
}
