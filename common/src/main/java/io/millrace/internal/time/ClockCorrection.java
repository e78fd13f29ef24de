package io.millrace.internal.time;

import java.time.Duration;

/**
 * The effect of one reading of the authority on a {@link DisciplinedClock}.
 *
 * @param kind how the clock reacted to the reading
 * @param error the least error that the reading proves, by which the clock was moved: positive if
 *     it was behind
 * @param roundTrip how long the reading took; its result is no more exact than this
 */
public record ClockCorrection(Kind kind, Duration error, Duration roundTrip) {

  /** How the clock reacted to a reading. */
  public enum Kind {
    /** The first reading: from now on the clock follows the authority instead of its base clock. */
    FIRST,
    /** The clock's time is within the bounds of this reading: nothing was changed. */
    AGREED,
    /** A small difference: corrected, without letting the clock go back. */
    ADJUSTED,
    /**
     * A difference of at least {@link DisciplinedClock#STEP}: corrected at once, even backwards.
     * The authority was set, or this process did not run for a while.
     */
    STEPPED
  }
}
