package io.millrace.jobtracker.domain.cron;

import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import java.util.Locale;

/**
 * The words of one language for the meaning of a cron expression and for the effect of clock
 * changes on it. Immutable and thread-safe.
 */
interface CronWords {

  /** The words for a language: Chinese for a Chinese locale, otherwise English. */
  static CronWords of(Locale language) {
    return language.getLanguage().equals(Locale.CHINESE.getLanguage())
        ? new ChineseCronWords()
        : new EnglishCronWords();
  }

  /** The language itself, for the names of months and weekdays. */
  Locale locale();

  /** A list of items that all apply; at least one. */
  String list(List<String> items);

  /** The numbers or names from one to another, both included. */
  String range(String from, String to);

  /** Numbers at equal distances: the first, the second and the last of them. */
  String progression(String first, String second, String last);

  /** Times of a day, as a list. */
  String atTimes(String times);

  /** Some seconds of a minute; {@code single} if there is only one. */
  String seconds(String numbers, boolean single);

  String everySecond();

  /** Some minutes of an hour; {@code single} if there is only one. */
  String minutes(String numbers, boolean single);

  String everyMinute();

  /** Some hours of a day; {@code single} if there is only one. */
  String hours(String numbers, boolean single);

  String everyHour();

  /** One unit within the next, from the smallest unit to the largest. */
  String within(List<String> units);

  String everyDay();

  /** Days of the month by their number; {@code single} if there is only one. */
  String daysOfMonth(String numbers, boolean single);

  /** The last day of the month, or the day that many days before it. */
  String beforeLastDay(int days);

  String nearestWeekday(int day);

  String lastWeekday();

  String lastOfMonth(String weekday);

  String nthOfMonth(int number, String weekday);

  /** Days, as a list. */
  String onDays(String days);

  /** A day matches if one of the two fields matches. */
  String either(String ofMonth, String ofWeek);

  /** A day matches only if both fields match. */
  String both(String ofMonth, String ofWeek);

  String inMonths(String months);

  String inYears(String years);

  /** A local time lies in the first or second pass of a period of this length that comes twice. */
  String comesTwice(boolean first, Duration length);

  /**
   * A local time, and {@code more} others, do not exist, because clocks go from one time to
   * another.
   */
  String doNotExist(LocalTime first, int more, LocalTime from, LocalTime to);

  /** Joins the parts of a whole expression. */
  String sentence(List<String> parts);
}
