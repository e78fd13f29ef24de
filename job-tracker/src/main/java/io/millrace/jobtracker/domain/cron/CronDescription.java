package io.millrace.jobtracker.domain.cron;

import com.cronutils.model.field.CronFieldName;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Describes an expression in words: the time, the days, the months, the years, in the order of the
 * language. All of them come from the sets of numbers that the engine evaluates, so expressions
 * that differ in meaning differ in words.
 */
final class CronDescription {
  private static final int ALL_WEEKDAYS = (1 << 7) - 1;

  private final CronFields fields;
  private final CronWords words;
  private final CronNumbers numbers;

  private CronDescription(CronFields fields, CronWords words) {
    this.fields = fields;
    this.words = words;
    this.numbers = new CronNumbers(words);
  }

  static String of(CronFields fields, CronWords words) {
    return words.spaced(new CronDescription(fields, words).describe());
  }

  private String describe() {
    String text = put(TimeDescription.of(fields, words), "part.longer", days());
    text = put(text, isEitherDay() ? "part.longer.apart" : "part.longer", months());
    return put(text, "part.longer", years());
  }

  /** Puts to a text what says of it, by a phrase, when it holds. */
  private String put(String text, String phrase, String longer) {
    return longer.isEmpty() ? text : words.say(phrase, text, longer);
  }

  private boolean isEitherDay() {
    return !DayPattern.isAnyDay(ofMonth())
        && !DayPattern.isAnyDay(ofWeek())
        && DayPattern.isEither(fields);
  }

  private CronFieldValue ofMonth() {
    return fields.get(CronFieldName.DAY_OF_MONTH);
  }

  private CronFieldValue ofWeek() {
    return fields.get(CronFieldName.DAY_OF_WEEK);
  }

  private String days() {
    boolean anyOfMonth = DayPattern.isAnyDay(ofMonth());
    boolean anyOfWeek = DayPattern.isAnyDay(ofWeek());
    if (anyOfMonth && anyOfWeek) {
      return fields.get(CronFieldName.HOUR).isPlainList() ? words.say("every.day") : "";
    }
    if (anyOfWeek) {
      return daysOfMonth();
    }
    if (anyOfMonth) {
      return daysOfWeek(true);
    }
    return isEitherDay()
        ? words.say("days.either", daysOfMonth(), daysOfWeek(true))
        : words.say("days.both", daysOfMonth(), daysOfWeek(false));
  }

  private String daysOfMonth() {
    DayOfMonthRule rule = DayOfMonthRule.of(ofMonth());
    List<String> days = new ArrayList<>();
    if (rule.days() != 0) {
      int count = Integer.bitCount(rule.days());
      String numbered = describe(rule.days(), String::valueOf);
      days.add(words.sayFor(count, "day.of-month", numbered, month(days)));
    }
    Bits.toSet(rule.nearestWeekday()).stream()
        .forEach(day -> days.add(words.say("day.nearest-weekday", day, month(days))));
    Bits.toSet(rule.beforeLast()).stream().forEach(day -> days.add(beforeLast(day, month(days))));
    if (rule.lastWeekday()) {
      days.add(words.say("day.last-weekday", month(days)));
    }
    return words.say("days", words.list(days));
  }

  private String beforeLast(int days, String month) {
    return days == 0
        ? words.say("day.last", month)
        : words.sayFor(days, "day.before-last", days, month);
  }

  /** The month of days behind others, where only the first of them says which. */
  private String month(List<String> others) {
    boolean known =
        !others.isEmpty() || fields.get(CronFieldName.MONTH).numbers().cardinality() == 1;
    return words.say(known ? "month.known" : "month.every");
  }

  /**
   * The days of the week.
   *
   * @param alone whether they are days by themselves, and not those of other days
   */
  private String daysOfWeek(boolean alone) {
    DayOfWeekRule rule = DayOfWeekRule.of(ofWeek(), fields.dialect().mondayValue());
    List<String> ofMonth = new ArrayList<>();
    Bits.toSet(rule.nth()).stream()
        .forEach(bit -> ofMonth.add(weekdayOfMonth("day.nth." + bit / 7, bit % 7, ofMonth)));
    Bits.toSet(rule.last()).stream()
        .forEach(day -> ofMonth.add(weekdayOfMonth("day.last-of-month", day, ofMonth)));
    List<String> days = new ArrayList<>();
    if (rule.every() != 0) {
      String every = everyWeek(rule.every());
      days.add(alone ? words.sayFor(Integer.bitCount(rule.every()), "day.of-week", every) : every);
    }
    days.addAll(ofMonth);
    return words.say("days", words.list(days));
  }

  private String weekdayOfMonth(String phrase, int day, List<String> others) {
    return words.say(phrase, weekday(day), month(others));
  }

  /** Weekdays as bits 0 (Monday) to 6; a range goes on from Sunday to Monday. */
  private String everyWeek(int days) {
    boolean monday = (days & 1) != 0;
    int start = monday ? Integer.SIZE - Integer.numberOfLeadingZeros(~days & ALL_WEEKDAYS) : 0;
    int fromStart = ((days >>> start) | (days << (7 - start))) & ALL_WEEKDAYS;
    return describe(fromStart, day -> weekday((day + start) % 7));
  }

  private String weekday(int fromMonday) {
    return words.say("weekday." + (fromMonday + 1));
  }

  private String months() {
    CronFieldValue month = fields.get(CronFieldName.MONTH);
    if (month.isComplete()) {
      return "";
    }
    String names = numbers.describe(month.numbers(), this::monthName);
    return years().isEmpty()
        ? words.sayFor(month.numbers().cardinality(), "months", names)
        : words.say("months.of-years", names);
  }

  private String monthName(int number) {
    return Month.of(number).getDisplayName(TextStyle.FULL, words.language());
  }

  private String years() {
    CronFieldValue year = fields.find(CronFieldName.YEAR);
    return year == null || year.isComplete() ? "" : words.say("years", numbers.describe(year));
  }

  private String describe(int bits, IntFunction<String> name) {
    return numbers.describe(Bits.toSet(bits), name);
  }
}
