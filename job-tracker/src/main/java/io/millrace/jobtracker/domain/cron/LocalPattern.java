package io.millrace.jobtracker.domain.cron;

/**
 * The local times that an expression names. A local time is counted in seconds since
 * 1970-01-01T00:00 on the local time line, which has no zones and no gaps. Immutable.
 */
final class LocalPattern {
  static final long NONE = Long.MIN_VALUE;
  static final long SECONDS_PER_DAY = 86_400;

  private final DayPattern days;
  private final TimePattern times;

  LocalPattern(CronFields fields) {
    days = new DayPattern(fields);
    times = TimePattern.of(fields);
  }

  /** The first matching local time after this one, or {@link #NONE}. */
  long nextAfter(long localSecond) {
    long from = localSecond + 1;
    long day = Math.floorDiv(from, SECONDS_PER_DAY);
    long match = days.nextFrom(day);
    if (match == day) {
      int time = times.nextFrom((int) (from - day * SECONDS_PER_DAY));
      if (time != TimePattern.NONE) {
        return day * SECONDS_PER_DAY + time;
      }
      match = days.nextFrom(day + 1);
    }
    return match == DayPattern.NONE ? NONE : match * SECONDS_PER_DAY + times.nextFrom(0);
  }
}
