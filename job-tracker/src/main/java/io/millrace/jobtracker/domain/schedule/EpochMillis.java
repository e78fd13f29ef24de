package io.millrace.jobtracker.domain.schedule;

import java.time.Duration;
import java.time.Instant;

/**
 * Instants and durations as milliseconds. Fractions of a millisecond are cut off. Instants outside
 * the years 1970 to 9999, and longer durations, become the nearest value inside, so that sums and
 * differences of two values never overflow.
 */
final class EpochMillis {
  static final long FIRST = 0;
  static final long LAST = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

  private static final Instant FIRST_INSTANT = Instant.ofEpochMilli(FIRST);
  private static final Instant LAST_INSTANT = Instant.ofEpochMilli(LAST);
  private static final Duration LONGEST = Duration.ofMillis(LAST);

  private EpochMillis() {}

  static long of(Instant instant) {
    if (instant.isBefore(FIRST_INSTANT)) {
      return FIRST;
    }
    return instant.isAfter(LAST_INSTANT) ? LAST : instant.toEpochMilli();
  }

  /** The first whole millisecond at or after the instant. */
  static long ofCeiling(Instant instant) {
    long millis = of(instant);
    return instant.isAfter(Instant.ofEpochMilli(millis)) ? Math.min(millis + 1, LAST) : millis;
  }

  static long of(Duration duration) {
    if (duration.isNegative()) {
      return 0;
    }
    return duration.compareTo(LONGEST) > 0 ? LAST : duration.toMillis();
  }

  static Instant toInstant(long millis) {
    return Instant.ofEpochMilli(millis);
  }
}
