package io.millrace.jobtracker.domain.cron;

import com.cronutils.model.field.expression.On;
import java.util.BitSet;

/**
 * A day-of-week field. Sets of weekdays are bits 0 (Monday) to 6; sets of days are bits 1 to 31.
 *
 * @param every the weekdays named without a number of occurrence
 * @param last the weekdays named as the last of the month, {@code 6L}
 * @param nth bits 7n to 7n+6 are the weekdays named as the n-th of the month, {@code 6#3}
 */
record DayOfWeekRule(int every, int last, long nth) {
  private static final int SATURDAY = 5;

  static DayOfWeekRule of(CronFieldValue field, int mondayValue) {
    BitSet numbers = field.numbers();
    int every = 0;
    for (int number = numbers.nextSetBit(0); number >= 0; number = numbers.nextSetBit(number + 1)) {
      every |= 1 << weekday(number, mondayValue);
    }
    int last = 0;
    long nth = 0;
    for (On on : field.specials()) {
      int weekday = weekday(on.getTime().getValue(), mondayValue);
      int number = on.getNth().getValue();
      switch (on.getSpecialChar().getValue()) {
        case HASH -> {
          if (number < 1 || number > 5) {
            throw field.invalid("'" + on.asString() + "': a weekday occurs 1 to 5 times a month");
          }
          nth |= 1L << (7 * number + weekday);
        }
        case L -> {
          if (number >= 0) {
            throw field.invalid("'" + on.asString() + "': L cannot be followed by a number here");
          }
          if (on.getTime().getValue() < 0) {
            every |= 1 << SATURDAY;
          } else {
            last |= 1 << weekday;
          }
        }
        default -> throw field.invalid("'" + on.asString() + "' is not allowed here");
      }
    }
    return new DayOfWeekRule(every, last, nth);
  }

  /** The weekdays of this rule if they are the same in every week, otherwise none. */
  int everyWeek() {
    return last == 0 && nth == 0 ? every : 0;
  }

  /**
   * The days of this rule in a month of this length whose first day is this weekday (0 is Monday).
   */
  int daysIn(int length, int firstWeekday) {
    int days = 0;
    for (int rest = every; rest != 0; rest &= rest - 1) {
      days |= daysOf(Integer.numberOfTrailingZeros(rest), firstWeekday);
    }
    for (int rest = last; rest != 0; rest &= rest - 1) {
      int weekday = Integer.numberOfTrailingZeros(rest);
      int candidates = daysOf(weekday, firstWeekday) & DayPattern.daysUpTo(length);
      days |= Integer.highestOneBit(candidates);
    }
    for (long rest = nth; rest != 0; rest &= rest - 1) {
      int bit = Long.numberOfTrailingZeros(rest);
      int day = firstOf(bit % 7, firstWeekday) + 7 * (bit / 7 - 1);
      days |= day > length ? 0 : 1 << day;
    }
    return days;
  }

  /** The days 1 to 31 that are this weekday. */
  private static int daysOf(int weekday, int firstWeekday) {
    int everySeventh = 1 | (1 << 7) | (1 << 14) | (1 << 21) | (1 << 28);
    return everySeventh << firstOf(weekday, firstWeekday);
  }

  private static int firstOf(int weekday, int firstWeekday) {
    return 1 + (weekday - firstWeekday + 7) % 7;
  }

  private static int weekday(int number, int mondayValue) {
    return Math.floorMod(number - mondayValue, 7);
  }
}
