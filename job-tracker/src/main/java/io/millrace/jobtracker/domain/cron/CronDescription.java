package io.millrace.jobtracker.domain.cron;

import com.cronutils.model.field.CronFieldName;
import java.time.DayOfWeek;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Describes an expression in words: the time, the days, the months, the years. All of them come
 * from the sets of numbers that the engine evaluates, so expressions that differ in meaning differ
 * in words.
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
    CronDescription description = new CronDescription(fields, words);
    return Stream.of(
            TimeDescription.of(fields, words),
            description.days(),
            description.months(),
            description.years())
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(words.say("part.separator")));
  }

  private String days() {
    CronFieldValue ofMonth = fields.get(CronFieldName.DAY_OF_MONTH);
    CronFieldValue ofWeek = fields.get(CronFieldName.DAY_OF_WEEK);
    if (DayPattern.isAnyDay(ofMonth) && DayPattern.isAnyDay(ofWeek)) {
      return fields.get(CronFieldName.HOUR).isPlainList() ? words.say("every.day") : "";
    }
    if (DayPattern.isAnyDay(ofWeek)) {
      return daysOfMonth(ofMonth);
    }
    if (DayPattern.isAnyDay(ofMonth)) {
      return daysOfWeek(ofWeek);
    }
    return words.say(
        DayPattern.isEither(fields) ? "days.either" : "days.both",
        daysOfMonth(ofMonth),
        daysOfWeek(ofWeek));
  }

  private String daysOfMonth(CronFieldValue field) {
    DayOfMonthRule rule = DayOfMonthRule.of(field);
    List<String> days = new ArrayList<>();
    if (rule.days() != 0) {
      int count = Integer.bitCount(rule.days());
      days.add(words.sayFor(count, "day.of-month", describe(rule.days(), String::valueOf)));
    }
    Bits.toSet(rule.nearestWeekday()).stream()
        .mapToObj(day -> words.say("day.nearest-weekday", day))
        .forEach(days::add);
    Bits.toSet(rule.beforeLast()).stream().mapToObj(this::dayBeforeLast).forEach(days::add);
    if (rule.lastWeekday()) {
      days.add(words.say("day.last-weekday"));
    }
    return words.say("days", words.list(days));
  }

  private String dayBeforeLast(int days) {
    return days == 0 ? words.say("day.last") : words.sayFor(days, "day.before-last", days);
  }

  private String daysOfWeek(CronFieldValue field) {
    DayOfWeekRule rule = DayOfWeekRule.of(field, fields.dialect().mondayValue());
    List<String> days = new ArrayList<>();
    if (rule.every() != 0) {
      days.add(everyWeek(rule.every()));
    }
    Bits.toSet(rule.nth()).stream()
        .mapToObj(bit -> words.say("day.nth." + bit / 7, weekday(bit % 7)))
        .forEach(days::add);
    Bits.toSet(rule.last()).stream()
        .mapToObj(day -> words.say("day.last-of-month", weekday(day)))
        .forEach(days::add);
    return words.say("days", words.list(days));
  }

  /** Weekdays as bits 0 (Monday) to 6; a range goes on from Sunday to Monday. */
  private String everyWeek(int days) {
    boolean monday = (days & 1) != 0;
    int start = monday ? Integer.SIZE - Integer.numberOfLeadingZeros(~days & ALL_WEEKDAYS) : 0;
    int fromStart = ((days >>> start) | (days << (7 - start))) & ALL_WEEKDAYS;
    return describe(fromStart, day -> weekday((day + start) % 7));
  }

  private String weekday(int fromMonday) {
    return DayOfWeek.of(fromMonday + 1).getDisplayName(TextStyle.FULL, words.language());
  }

  private String months() {
    CronFieldValue month = fields.get(CronFieldName.MONTH);
    return month.isComplete()
        ? ""
        : words.say("months", numbers.describe(month.numbers(), this::monthName));
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
