package io.millrace.jobtracker.domain.cron;

import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import java.util.Locale;

/** The words in English. */
final class EnglishCronWords implements CronWords {
  private static final List<String> ORDINALS = List.of("1st", "2nd", "3rd", "4th", "5th");

  @Override
  public Locale locale() {
    return Locale.ENGLISH;
  }

  @Override
  public String list(List<String> items) {
    int last = items.size() - 1;
    return last == 0
        ? items.get(0)
        : String.join(", ", items.subList(0, last)) + " and " + items.get(last);
  }

  @Override
  public String range(String from, String to) {
    return from + " to " + to;
  }

  @Override
  public String progression(String first, String second, String last) {
    return first + ", " + second + " ... " + last;
  }

  @Override
  public String atTimes(String times) {
    return "at " + times;
  }

  @Override
  public String seconds(String numbers, boolean single) {
    return numbered("second", numbers, single);
  }

  @Override
  public String everySecond() {
    return "every second";
  }

  @Override
  public String minutes(String numbers, boolean single) {
    return numbered("minute", numbers, single);
  }

  @Override
  public String everyMinute() {
    return "every minute";
  }

  @Override
  public String hours(String numbers, boolean single) {
    return numbered("hour", numbers, single);
  }

  @Override
  public String everyHour() {
    return "every hour";
  }

  @Override
  public String within(List<String> units) {
    String all = String.join(" of ", units);
    return all.startsWith("every") ? all : "at " + all;
  }

  @Override
  public String everyDay() {
    return "every day";
  }

  @Override
  public String daysOfMonth(String numbers, boolean single) {
    return numbered("day", numbers, single) + " of the month";
  }

  @Override
  public String beforeLastDay(int days) {
    return (days == 0 ? "" : days == 1 ? "1 day before " : days + " days before ")
        + "the last day of the month";
  }

  @Override
  public String nearestWeekday(int day) {
    return "the weekday nearest to day " + day + " of the month";
  }

  @Override
  public String lastWeekday() {
    return "the last weekday of the month";
  }

  @Override
  public String lastOfMonth(String weekday) {
    return "the last " + weekday + " of the month";
  }

  @Override
  public String nthOfMonth(int number, String weekday) {
    return "the " + ORDINALS.get(number - 1) + " " + weekday + " of the month";
  }

  @Override
  public String onDays(String days) {
    return "on " + days;
  }

  @Override
  public String either(String ofMonth, String ofWeek) {
    return ofMonth + ", or " + ofWeek;
  }

  @Override
  public String both(String ofMonth, String ofWeek) {
    return ofMonth + ", but only " + ofWeek;
  }

  @Override
  public String inMonths(String months) {
    return "in " + months;
  }

  @Override
  public String inYears(String years) {
    return "in " + years;
  }

  @Override
  public String comesTwice(boolean first, Duration length) {
    String pass = first ? "first" : "second";
    return length.equals(Duration.ofHours(1))
        ? pass + " pass of an hour that comes twice"
        : pass + " pass of " + inMinutes(length) + " that come twice";
  }

  private static String inMinutes(Duration length) {
    return length.toSecondsPart() == 0
        ? length.toMinutes() + " minutes"
        : length.toSeconds() + " seconds";
  }

  @Override
  public String doNotExist(LocalTime first, int more, LocalTime from, LocalTime to) {
    return (more == 0 ? first + " does not exist" : first + " and " + more + " more do not exist")
        + ": clocks go from "
        + from
        + " to "
        + to;
  }

  @Override
  public String sentence(List<String> parts) {
    return String.join(", ", parts);
  }

  private static String numbered(String unit, String numbers, boolean single) {
    return unit + (single ? " " : "s ") + numbers;
  }
}
