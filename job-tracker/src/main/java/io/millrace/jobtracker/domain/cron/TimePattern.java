package io.millrace.jobtracker.domain.cron;

import com.cronutils.model.field.CronFieldName;

/**
 * The times of a day that an expression names, as one bit for each hour, minute and second.
 *
 * @param hours bits 0 to 23, at least one
 * @param minutes bits 0 to 59, at least one
 * @param seconds bits 0 to 59, at least one
 */
record TimePattern(int hours, long minutes, long seconds) {
  static final int NONE = -1;

  static TimePattern of(CronFields fields) {
    CronFieldValue second = fields.find(CronFieldName.SECOND);
    return new TimePattern(
        Bits.ofInt(fields.get(CronFieldName.HOUR).numbers()),
        Bits.ofLong(fields.get(CronFieldName.MINUTE).numbers()),
        second == null ? 1 : Bits.ofLong(second.numbers()));
  }

  /** The first matching second of the day at or after this one, or {@link #NONE}. */
  int nextFrom(int secondOfDay) {
    int hour = secondOfDay / 3600;
    int minute = secondOfDay / 60 % 60;
    int second = secondOfDay % 60;
    if (((hours >>> hour) & 1) != 0) {
      if (((minutes >>> minute) & 1) != 0) {
        long rest = seconds & (-1L << second);
        if (rest != 0) {
          return secondOfDay - second + Long.numberOfTrailingZeros(rest);
        }
      }
      long later = minutes & (-2L << minute);
      if (later != 0) {
        return hour * 3600 + Long.numberOfTrailingZeros(later) * 60 + firstSecond();
      }
    }
    int later = hours & (-2 << hour);
    return later == 0 ? NONE : Integer.numberOfTrailingZeros(later) * 3600 + firstOfHour();
  }

  private int firstOfHour() {
    return Long.numberOfTrailingZeros(minutes) * 60 + firstSecond();
  }

  private int firstSecond() {
    return Long.numberOfTrailingZeros(seconds);
  }
}
