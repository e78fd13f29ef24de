package io.millrace.jobtracker.domain.cron;

import com.cronutils.model.field.CronFieldName;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The local days that an expression names. Immutable. */
final class DayPattern {
  static final long NONE = Long.MIN_VALUE;
  static final int FIRST_YEAR = 1970;
  static final int LAST_YEAR = 9999;

  /**
   * The calendar repeats after this time, weekdays included: if no day has matched, none ever will.
   */
  private static final int CALENDAR_CYCLE_YEARS = 400;

  private static final int ALL_MONTHS = daysUpTo(12);
  private static final int ALL_WEEKDAYS = (1 << 7) - 1;

  private static final long LAST_DAY = LocalDate.of(LAST_YEAR, 12, 31).toEpochDay();

  private final int months;
  private final @Nullable BitSet years;
  private final @Nullable DayOfMonthRule dayOfMonth;
  private final @Nullable DayOfWeekRule dayOfWeek;
  private final boolean either;

  /** Bits 0 (Monday) to 6 for the weekdays that match on any date; none if the date matters. */
  private final int weekdays;

  /**
   * Reads the fields that determine the days.
   *
   * @throws InvalidScheduleException if one of them names no days
   */
  DayPattern(CronFields fields) {
    CronFieldValue ofMonth = fields.get(CronFieldName.DAY_OF_MONTH);
    CronFieldValue ofWeek = fields.get(CronFieldName.DAY_OF_WEEK);
    if (fields.dialect() != CronDialect.UNIX) {
      checkQuestionMarks(ofMonth, ofWeek);
    }
    months = Bits.ofInt(fields.get(CronFieldName.MONTH).numbers());
    CronFieldValue year = fields.find(CronFieldName.YEAR);
    years = year == null || year.isStar() ? null : year.numbers();
    dayOfMonth = isAnyDay(ofMonth) ? null : DayOfMonthRule.of(ofMonth);
    dayOfWeek = isAnyDay(ofWeek) ? null : DayOfWeekRule.of(ofWeek, fields.dialect().mondayValue());
    either = isEither(fields);
    boolean dateMatters = years != null || dayOfMonth != null || months != ALL_MONTHS;
    weekdays = dateMatters ? 0 : dayOfWeek == null ? ALL_WEEKDAYS : dayOfWeek.everyWeek();
  }

  private static void checkQuestionMarks(CronFieldValue ofMonth, CronFieldValue ofWeek) {
    boolean bothStar = ofMonth.isStar() && ofWeek.isStar();
    if (!bothStar && ofMonth.isQuestionMark() == ofWeek.isQuestionMark()) {
      throw ofWeek.invalid("exactly one of day-of-month and day-of-week must be '?'");
    }
  }

  /** Whether a day field does not restrict the day. */
  static boolean isAnyDay(CronFieldValue field) {
    return field.isStar() || field.isQuestionMark();
  }

  /** Whether a day matches if one of the two day fields does. */
  static boolean isEither(CronFields fields) {
    return fields.dialect() == CronDialect.UNIX
        && !beginsWithStar(fields.get(CronFieldName.DAY_OF_MONTH))
        && !beginsWithStar(fields.get(CronFieldName.DAY_OF_WEEK));
  }

  private static boolean beginsWithStar(CronFieldValue field) {
    return field.part().text().startsWith("*");
  }

  /** The bits from 1 to this day. */
  static int daysUpTo(int day) {
    return (int) ((2L << day) - 2);
  }

  /** The first matching day at or after this one, in days since the epoch, or {@link #NONE}. */
  long nextFrom(long epochDay) {
    if (epochDay > LAST_DAY) {
      return NONE;
    }
    long first = Math.max(epochDay, 0);
    return weekdays == 0 ? nextDate(first) : nextWeekday(first);
  }

  private long nextWeekday(long epochDay) {
    int weekday = weekdayOf(epochDay);
    int laterThisWeek = weekdays >>> weekday;
    long next =
        epochDay
            + (laterThisWeek != 0
                ? Integer.numberOfTrailingZeros(laterThisWeek)
                : Integer.numberOfTrailingZeros(weekdays) + 7 - weekday);
    return next > LAST_DAY ? NONE : next;
  }

  private long nextDate(long epochDay) {
    LocalDate from = LocalDate.ofEpochDay(epochDay);
    int year = from.getYear();
    int month = from.getMonthValue();
    int earlierDays = daysUpTo(from.getDayOfMonth() - 1);
    int lastYear = years == null ? Math.min(year + CALENDAR_CYCLE_YEARS, LAST_YEAR) : LAST_YEAR;
    while (year <= lastYear) {
      int laterMonths = isYear(year) ? months & (-1 << month) : 0;
      if (laterMonths == 0) {
        year = nextYear(year);
        month = 1;
        earlierDays = 0;
        continue;
      }
      int next = Integer.numberOfTrailingZeros(laterMonths);
      int days = daysOf(year, next) & (next == month ? ~earlierDays : -1);
      if (days != 0) {
        return LocalDate.of(year, next, Integer.numberOfTrailingZeros(days)).toEpochDay();
      }
      month = next + 1;
      earlierDays = 0;
    }
    return NONE;
  }

  /** The weekday, 0 for Monday; 1970-01-05 was a Monday. */
  private static int weekdayOf(long epochDay) {
    return (int) Math.floorMod(epochDay + 3, 7L);
  }

  private boolean isYear(int year) {
    return years == null || years.get(year);
  }

  private int nextYear(int year) {
    if (years == null) {
      return year + 1;
    }
    int next = years.nextSetBit(year + 1);
    return next < 0 ? Integer.MAX_VALUE : next;
  }

  private int daysOf(int year, int month) {
    YearMonth yearMonth = YearMonth.of(year, month);
    int length = yearMonth.lengthOfMonth();
    int all = daysUpTo(length);
    if (dayOfMonth == null && dayOfWeek == null) {
      return all;
    }
    int firstWeekday = weekdayOf(yearMonth.atDay(1).toEpochDay());
    int ofMonth = dayOfMonth == null ? all : dayOfMonth.daysIn(length, firstWeekday);
    int ofWeek = dayOfWeek == null ? all : dayOfWeek.daysIn(length, firstWeekday);
    return all & (either ? ofMonth | ofWeek : ofMonth & ofWeek);
  }
}
