package io.millrace.jobtracker.domain.cron;

import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import java.util.Locale;

/**
 * The words of one language for what a cron expression says, and what changes of the clocks do to
 * it. Immutable and thread-safe.
 */
interface CronWords {

  /** The words of this language: Chinese if that is what it is, otherwise English. */
  static CronWords of(Locale language) {
    return language.getLanguage().equals(Locale.CHINESE.getLanguage())
        ? new ChineseCronWords()
        : new EnglishCronWords();
  }

  /** The language itself, for the names of months and weekdays. */
  Locale locale();

  /** Items that all hold, at least one. */
  String list(List<String> items);

  /** The numbers or names from one to another, both included. */
  String range(String from, String to);

  /** Numbers at equal distances: the first, the second and the last of them. */
  String progression(String first, String second, String last);

  /** Times of a day, as a list. */
  String atTimes(String times);

  /** Some seconds of a minute; whether it is but one. */
  String seconds(String numbers, boolean single);

  String everySecond();

  /** Some minutes of an hour; whether it is but one. */
  String minutes(String numbers, boolean single);

  String everyMinute();

  /** Some hours of a day; whether it is but one. */
  String hours(String numbers, boolean single);

  String everyHour();

  /** One within the other, from the smallest unit to the largest. */
  String within(List<String> units);

  String everyDay();

  /** Days of the month by their number; whether it is but one. */
  String daysOfMonth(String numbers, boolean single);

  /** The last day of the month, or so many days before it. */
  String beforeLastDay(int days);

  String nearestWeekday(int day);

  String lastWeekday();

  String lastOfMonth(String weekday);

  String nthOfMonth(int number, String weekday);

  /** Days, as a list. */
  String onDays(String days);

  /** A day matches if one of the two does. */
  String either(String ofMonth, String ofWeek);

  /** A day matches only if both do. */
  String both(String ofMonth, String ofWeek);

  String inMonths(String months);

  String inYears(String years);

  /** That a local time lies in the first or second pass of such a length that comes twice. */
  String comesTwice(boolean first, Duration length);

  /** That a local time, and so many more, do not exist, because clocks go from one to another. */
  String doNotExist(LocalTime first, int more, LocalTime from, LocalTime to);

  /** The parts of a whole expression. */
  String sentence(List<String> parts);
}
