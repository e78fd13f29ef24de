package io.millrace.common.time;

import java.time.Duration;

/**
 * What one reading of the authority did to a {@link DisciplinedClock}.
 *
 * @param kind how the reading was followed
 * @param error what the clock was wrong by at the least, and was moved by: positive when it was
 *     behind
 * @param roundTrip how long the reading took; its result is no more exact than this
 */
public record ClockCorrection(Kind kind, Duration error, Duration roundTrip) {

  /** How a reading was followed. */
  public enum Kind {
    /** The first reading: from now on the clock follows the authority and no longer its base. */
    FIRST,
    /** What the clock tells may be true, by this reading: nothing was changed. */
    AGREED,
    /** A small difference: followed, and the clock did not go back. */
    ADJUSTED,
    /**
     * A difference of at least {@link DisciplinedClock#STEP}: followed at once, back as well. The
     * authority was set, or this process did not run for a while.
     */
    STEPPED
  }
}
