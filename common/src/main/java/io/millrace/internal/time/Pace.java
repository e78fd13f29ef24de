package io.millrace.internal.time;

import java.time.Duration;

/**
 * How often a {@link RepeatedTimer} runs its duty. Immutable.
 *
 * @param period from the end of one run to the start of the next; at least a millisecond
 * @param jitter share of the period, 0 to 1, by which each wait is spread evenly around it, so that
 *     nodes started together do not stay in step
 */
public record Pace(Duration period, double jitter) {
  /** A tenth. */
  public static final double DEFAULT_JITTER = 0.1;

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(365);

  public Pace {
    if (period.compareTo(SHORTEST) < 0 || period.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "period must be between 1 ms and 365 days, but is " + period);
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException("jitter must be between 0 and 1, but is " + jitter);
    }
  }

  /** This period, spread by {@link #DEFAULT_JITTER}. */
  public static Pace every(Duration period) {
    return new Pace(period, DEFAULT_JITTER);
  }

  /** This period without jitter, for duties that must not run late. */
  public static Pace exactly(Duration period) {
    return new Pace(period, 0);
  }
}
