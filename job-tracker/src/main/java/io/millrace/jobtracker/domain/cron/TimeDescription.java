package io.millrace.jobtracker.domain.cron;

import com.cronutils.model.field.CronFieldName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Describes the times of a day in words: lists them if they are few, or says what repeats evenly.
 * Any others are described by their seconds, minutes and hours.
 */
final class TimeDescription {
  private static final int LONGEST_LIST_OF_TIMES = 6;
  private static final int PER_MINUTE = 60;
  private static final int PER_HOUR = 60;
  private static final int PER_DAY = 24;

  private final CronFields fields;
  private final TimePattern times;
  private final CronWords words;

  private TimeDescription(CronFields fields, CronWords words) {
    this.fields = fields;
    this.times = TimePattern.of(fields);
    this.words = words;
  }

  static String of(CronFields fields, CronWords words) {
    TimeDescription description = new TimeDescription(fields, words);
    return description.listed().or(description::repeated).orElseGet(description::namedByUnits);
  }

  /** Every time of a day; empty if there are too many, or if the expression is interval-like. */
  private Optional<String> listed() {
    if (!fields.get(CronFieldName.HOUR).isPlainList()) {
      return Optional.empty();
    }
    List<String> clocks = new ArrayList<>();
    int time = times.nextFrom(0);
    while (time != TimePattern.NONE && clocks.size() <= LONGEST_LIST_OF_TIMES) {
      clocks.add(clock(time));
      time = time + 1 == LocalPattern.SECONDS_PER_DAY ? TimePattern.NONE : times.nextFrom(time + 1);
    }
    return clocks.size() > LONGEST_LIST_OF_TIMES
        ? Optional.empty()
        : Optional.of(words.say("at-times", words.list(clocks)));
  }

  private String clock(int secondOfDay) {
    String minutes = twoDigits(secondOfDay / 3600) + ":" + twoDigits(secondOfDay / 60 % 60);
    return times.seconds() == 1 ? minutes : minutes + ":" + twoDigits(secondOfDay % 60);
  }

  private static String twoDigits(int number) {
    return (number < 10 ? "0" : "") + number;
  }

  /** What repeats evenly in the whole day, or in successive hours; otherwise empty. */
  private Optional<String> repeated() {
    int bySeconds = step(times.seconds(), PER_MINUTE);
    int byMinutes = step(times.minutes(), PER_HOUR);
    int byHours = step(times.hours(), PER_DAY);
    if (isMany(times.seconds())) {
      return byMinutes == 1 && byHours == 1 ? every("second", bySeconds) : Optional.empty();
    }
    // A step with odd seconds is easier to understand when its minutes or hours are named.
    boolean wholeMinutes = times.seconds() == 1;
    if (isMany(times.minutes())) {
      Optional<String> every =
          byMinutes == 1 || wholeMinutes ? every("minute", byMinutes) : Optional.empty();
      return byHours == 1 ? every.map(this::atSecond) : every.flatMap(this::withinHours);
    }
    if (byHours == 1 || (byHours > 1 && wholeMinutes)) {
      return every("hour", byHours).map(this::atMinute);
    }
    return isMany(times.hours()) ? every("hour", 1).flatMap(this::withinHours) : Optional.empty();
  }

  private Optional<String> every(String unit, int step) {
    return step == 0 ? Optional.empty() : Optional.of(words.sayFor(step, "every." + unit, step));
  }

  private String atMinute(String every) {
    int minute = Long.numberOfTrailingZeros(times.minutes());
    int second = Long.numberOfTrailingZeros(times.seconds());
    if (second != 0) {
      return words.say("every.at-both", every, minute, second);
    }
    return minute == 0 ? every : words.say("every.at-minute", every, minute);
  }

  private String atSecond(String every) {
    int second = Long.numberOfTrailingZeros(times.seconds());
    return second == 0 ? every : words.say("every.at-second", every, second);
  }

  /** From the first time to the last, if the hours follow one another and no seconds are odd. */
  private Optional<String> withinHours(String every) {
    int fromZero = times.hours() >>> Integer.numberOfTrailingZeros(times.hours());
    boolean successive = (fromZero & (fromZero + 1)) == 0;
    if (!successive || times.seconds() != 1) {
      return Optional.empty();
    }
    int last = highest(times.hours()) * 3600 + highest(times.minutes()) * 60;
    return Optional.of(words.say("every.within", every, clock(times.nextFrom(0)), clock(last)));
  }

  private String namedByUnits() {
    List<CronFieldName> units =
        times.seconds() == 1
            ? List.of(CronFieldName.MINUTE, CronFieldName.HOUR)
            : List.of(CronFieldName.SECOND, CronFieldName.MINUTE, CronFieldName.HOUR);
    CronFieldName smallest = units.get(0);
    String text = unit(smallest);
    if (!fields.get(smallest).isComplete()) {
      text = words.say("at-units", text);
    }
    for (CronFieldName larger : units.subList(1, units.size())) {
      text = words.say("unit.of", text, unit(larger));
    }
    return text;
  }

  private String unit(CronFieldName name) {
    CronFieldValue field = fields.get(name);
    String unit = name.name().toLowerCase(Locale.ROOT);
    if (field.isComplete()) {
      return words.sayFor(1, "every." + unit, 1);
    }
    int count = field.numbers().cardinality();
    return words.sayFor(count, "unit." + unit, new CronNumbers(words).describe(field));
  }

  /**
   * The equal distance of numbers that go from 0 through a whole cycle, such as 15 for 0, 15, 30
   * and 45 of 60. Otherwise 0, also for a single number.
   */
  private static int step(long numbers, int cycle) {
    int second = Long.numberOfTrailingZeros(numbers & ~1L);
    if (second >= cycle || cycle % second != 0) {
      return 0;
    }
    long even = 0;
    for (int number = 0; number < cycle; number += second) {
      even |= 1L << number;
    }
    return numbers == even ? second : 0;
  }

  private static boolean isMany(long numbers) {
    return Long.bitCount(numbers) > 1;
  }

  private static int highest(long numbers) {
    return 63 - Long.numberOfLeadingZeros(numbers);
  }
}
