package io.millrace.jobtracker.domain.cron;

import java.time.Duration;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The words in Chinese. */
final class ChineseCronWords implements CronWords {

  @Override
  public Locale locale() {
    return Locale.CHINESE;
  }

  @Override
  public String list(List<String> items) {
    return String.join("、", items);
  }

  @Override
  public String range(String from, String to) {
    return from + "至" + to;
  }

  @Override
  public String progression(String first, String second, String last) {
    return first + "、" + second + "……" + last;
  }

  @Override
  public String atTimes(String times) {
    return "在 " + times;
  }

  @Override
  public String seconds(String numbers, boolean single) {
    return "第 " + numbers + " 秒";
  }

  @Override
  public String everySecond() {
    return "每秒";
  }

  @Override
  public String minutes(String numbers, boolean single) {
    return "第 " + numbers + " 分";
  }

  @Override
  public String everyMinute() {
    return "每分钟";
  }

  @Override
  public String hours(String numbers, boolean single) {
    return numbers + " 点";
  }

  @Override
  public String everyHour() {
    return "每小时";
  }

  @Override
  public String within(List<String> units) {
    List<String> largestFirst = new ArrayList<>(units);
    Collections.reverse(largestFirst);
    return String.join("的", largestFirst);
  }

  @Override
  public String everyDay() {
    return "每天";
  }

  @Override
  public String daysOfMonth(String numbers, boolean single) {
    return "每月 " + numbers + " 日";
  }

  @Override
  public String beforeLastDay(int days) {
    return "每月最后一天" + (days == 0 ? "" : "前 " + days + " 天");
  }

  @Override
  public String nearestWeekday(int day) {
    return "离每月 " + day + " 日最近的工作日";
  }

  @Override
  public String lastWeekday() {
    return "每月最后一个工作日";
  }

  @Override
  public String lastOfMonth(String weekday) {
    return "每月最后一个" + weekday;
  }

  @Override
  public String nthOfMonth(int number, String weekday) {
    return "每月第 " + number + " 个" + weekday;
  }

  @Override
  public String onDays(String days) {
    return "在" + days;
  }

  @Override
  public String either(String ofMonth, String ofWeek) {
    return ofMonth + "，或" + ofWeek;
  }

  @Override
  public String both(String ofMonth, String ofWeek) {
    return ofMonth + "，且仅" + ofWeek;
  }

  @Override
  public String inMonths(String months) {
    return "在" + months;
  }

  @Override
  public String inYears(String years) {
    return "在 " + years + " 年";
  }

  @Override
  public String comesTwice(boolean first, Duration length) {
    String span =
        length.toSecondsPart() == 0 ? length.toMinutes() + " 分钟" : length.toSeconds() + " 秒";
    return "时钟回拨，这 "
        + (length.equals(Duration.ofHours(1)) ? "1 小时" : span)
        + "出现两次，此为第"
        + (first ? "一" : "二")
        + "次";
  }

  @Override
  public String doNotExist(LocalTime first, int more, LocalTime from, LocalTime to) {
    return first
        + (more == 0 ? "" : " 等 " + (more + 1) + " 个时刻")
        + " 不存在：时钟从 "
        + from
        + " 拨到 "
        + to;
  }

  @Override
  public String sentence(List<String> parts) {
    return String.join("，", parts);
  }
}
