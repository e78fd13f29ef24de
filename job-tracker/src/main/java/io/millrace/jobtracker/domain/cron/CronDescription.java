package io.millrace.jobtracker.domain.cron;

import com.cronutils.model.field.CronFieldName;
import java.time.DayOfWeek;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/**
 * Describes an expression in words: the time, the days, the months, the years. Each part comes from
 * cron-utils where its description {@linkplain CronUtilsWords is correct}, and otherwise from the
 * sets of numbers that the engine evaluates. Expressions that differ in meaning differ in words.
 */
final class CronDescription {
  private static final int LONGEST_LIST_OF_TIMES = 6;

  private final CronFields fields;
  private final CronWords words;
  private final CronNumbers numbers;
  private final CronUtilsWords cronUtils;

  private CronDescription(CronFields fields, CronWords words) {
    this.fields = fields;
    this.words = words;
    this.numbers = new CronNumbers(words);
    this.cronUtils = new CronUtilsWords(fields, words.locale());
  }

  static String of(CronFields fields, CronWords words) {
    CronDescription description = new CronDescription(fields, words);
    return words.sentence(
        Stream.of(description.time(), description.days(), description.months(), description.years())
            .filter(part -> !part.isEmpty())
            .toList());
  }

  private String time() {
    return cronUtils.time().orElseGet(this::ownTime);
  }

  private String ownTime() {
    List<String> times = fields.get(CronFieldName.HOUR).isPlainList() ? timesOfDay() : List.of();
    return times.isEmpty() ? words.within(units()) : words.atTimes(words.list(times));
  }

  /** Every time of a day; empty if there are too many to list. */
  private List<String> timesOfDay() {
    TimePattern pattern = TimePattern.of(fields);
    List<String> times = new ArrayList<>();
    int time = pattern.nextFrom(0);
    while (time != TimePattern.NONE && times.size() <= LONGEST_LIST_OF_TIMES) {
      times.add(clock(time, pattern.seconds() != 1));
      time =
          time + 1 == LocalPattern.SECONDS_PER_DAY ? TimePattern.NONE : pattern.nextFrom(time + 1);
    }
    return times.size() > LONGEST_LIST_OF_TIMES ? List.of() : times;
  }

  private static String clock(int secondOfDay, boolean withSeconds) {
    String minutes = twoDigits(secondOfDay / 3600) + ":" + twoDigits(secondOfDay / 60 % 60);
    return withSeconds ? minutes + ":" + twoDigits(secondOfDay % 60) : minutes;
  }

  private static String twoDigits(int number) {
    return (number < 10 ? "0" : "") + number;
  }

  private List<String> units() {
    List<String> units = new ArrayList<>();
    CronFieldValue second = fields.find(CronFieldName.SECOND);
    if (second != null && Bits.ofLong(second.numbers()) != 1) {
      units.add(unit(second, words.everySecond(), words::seconds));
    }
    units.add(unit(fields.get(CronFieldName.MINUTE), words.everyMinute(), words::minutes));
    units.add(unit(fields.get(CronFieldName.HOUR), words.everyHour(), words::hours));
    return units;
  }

  private String unit(CronFieldValue field, String every, Numbered some) {
    if (field.isComplete()) {
      return every;
    }
    return some.describe(numbers.describe(field), field.numbers().cardinality() == 1);
  }

  private String days() {
    CronFieldValue ofMonth = fields.get(CronFieldName.DAY_OF_MONTH);
    CronFieldValue ofWeek = fields.get(CronFieldName.DAY_OF_WEEK);
    if (!DayPattern.isAnyDay(ofMonth) && !DayPattern.isAnyDay(ofWeek)) {
      String first = daysOfMonth(ofMonth);
      String second = daysOfWeek(ofWeek);
      return DayPattern.isEither(fields) ? words.either(first, second) : words.both(first, second);
    }
    if (!DayPattern.isAnyDay(ofMonth)) {
      return cronUtils.dayOfMonth().orElseGet(() -> daysOfMonth(ofMonth));
    }
    if (!DayPattern.isAnyDay(ofWeek)) {
      return cronUtils.dayOfWeek().orElseGet(() -> daysOfWeek(ofWeek));
    }
    return fields.get(CronFieldName.HOUR).isPlainList() ? words.everyDay() : "";
  }

  private String daysOfMonth(CronFieldValue field) {
    DayOfMonthRule rule = DayOfMonthRule.of(field);
    List<String> days = new ArrayList<>();
    if (rule.days() != 0) {
      boolean single = Integer.bitCount(rule.days()) == 1;
      days.add(words.daysOfMonth(describe(rule.days(), String::valueOf), single));
    }
    Bits.toSet(rule.nearestWeekday()).stream().mapToObj(words::nearestWeekday).forEach(days::add);
    Bits.toSet(rule.beforeLast()).stream().mapToObj(words::beforeLastDay).forEach(days::add);
    if (rule.lastWeekday()) {
      days.add(words.lastWeekday());
    }
    return words.onDays(words.list(days));
  }

  private String daysOfWeek(CronFieldValue field) {
    DayOfWeekRule rule = DayOfWeekRule.of(field, fields.dialect().mondayValue());
    List<String> days = new ArrayList<>();
    if (rule.every() != 0) {
      days.add(describe(rule.every(), this::weekday));
    }
    Bits.toSet(rule.nth()).stream()
        .mapToObj(bit -> words.nthOfMonth(bit / 7, weekday(bit % 7)))
        .forEach(days::add);
    Bits.toSet(rule.last()).stream()
        .mapToObj(day -> words.lastOfMonth(weekday(day)))
        .forEach(days::add);
    return words.onDays(words.list(days));
  }

  private String weekday(int fromMonday) {
    return DayOfWeek.of(fromMonday + 1).getDisplayName(TextStyle.FULL, words.locale());
  }

  private String months() {
    CronFieldValue month = fields.get(CronFieldName.MONTH);
    if (month.isComplete()) {
      return "";
    }
    return cronUtils
        .month()
        .orElseGet(() -> words.inMonths(numbers.describe(month.numbers(), this::monthName)));
  }

  private String monthName(int number) {
    return Month.of(number).getDisplayName(TextStyle.FULL, words.locale());
  }

  private String years() {
    CronFieldValue year = fields.find(CronFieldName.YEAR);
    if (year == null || year.isComplete()) {
      return "";
    }
    return cronUtils.year().orElseGet(() -> words.inYears(numbers.describe(year)));
  }

  private String describe(int bits, IntFunction<String> name) {
    return numbers.describe(Bits.toSet(bits), name);
  }

  /** Describes numbers of a unit; {@code single} says whether there is only one. */
  private interface Numbered {
    String describe(String numbers, boolean single);
  }
}
