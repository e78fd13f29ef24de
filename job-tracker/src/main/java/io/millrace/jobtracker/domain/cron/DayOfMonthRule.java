package io.millrace.jobtracker.domain.cron;

import com.cronutils.model.field.expression.On;

/**
 * A day-of-month field. Sets of days are bits 1 to 31.
 *
 * @param days the days named by number
 * @param beforeLast bit n for the n-th day before the last one; bit 0 is {@code L}
 * @param nearestWeekday bit n for {@code nW}, the weekday nearest to day n in the same month; a
 *     month without day n has none
 * @param lastWeekday whether {@code LW}, the last weekday of the month, is named
 */
record DayOfMonthRule(int days, int beforeLast, int nearestWeekday, boolean lastWeekday) {

  static DayOfMonthRule of(CronFieldValue field) {
    int beforeLast = 0;
    int nearestWeekday = 0;
    boolean lastWeekday = false;
    for (On on : field.specials()) {
      switch (on.getSpecialChar().getValue()) {
        case LW -> lastWeekday = true;
        case W -> nearestWeekday |= 1 << on.getTime().getValue();
        case L -> {
          if (on.getTime().getValue() >= 0) {
            throw field.invalid("L cannot follow a day here; L-3 means three days before the last");
          }
          beforeLast |= 1 << Math.max(on.getNth().getValue(), 0);
        }
        default -> throw field.invalid("'" + on.asString() + "' is not allowed here");
      }
    }
    return new DayOfMonthRule(Bits.ofInt(field.numbers()), beforeLast, nearestWeekday, lastWeekday);
  }

  /**
   * The days of this rule in a month of this length whose first day is this weekday (0 is Monday).
   */
  int daysIn(int length, int firstWeekday) {
    int result = days;
    for (int rest = beforeLast; rest != 0; rest &= rest - 1) {
      int day = length - Integer.numberOfTrailingZeros(rest);
      result |= day < 1 ? 0 : 1 << day;
    }
    for (int rest = nearestWeekday; rest != 0; rest &= rest - 1) {
      int day = Integer.numberOfTrailingZeros(rest);
      result |= day > length ? 0 : 1 << nearestWeekday(day, length, firstWeekday);
    }
    if (lastWeekday) {
      int back = Math.max(weekday(length, firstWeekday) - 4, 0);
      result |= 1 << (length - back);
    }
    return result;
  }

  private static int nearestWeekday(int day, int length, int firstWeekday) {
    return switch (weekday(day, firstWeekday)) {
      case 5 -> day == 1 ? 3 : day - 1;
      case 6 -> day == length ? day - 2 : day + 1;
      default -> day;
    };
  }

  private static int weekday(int day, int firstWeekday) {
    return (firstWeekday + day - 1) % 7;
  }
}
