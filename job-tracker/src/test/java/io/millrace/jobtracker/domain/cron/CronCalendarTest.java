package io.millrace.jobtracker.domain.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds the days with L, W and # against the calendar of java.time, in every month from 1970 to
 * 2110: leap years, none in 2100, and any weekday on any day.
 */
class CronCalendarTest {
  private static final YearMonth FIRST = YearMonth.of(1970, 1);
  private static final YearMonth LAST = YearMonth.of(2110, 12);

  @Test
  void lastDayAndDaysBeforeItAreRightInEveryMonth() {
    assertDays("L * ?", YearMonth::atEndOfMonth);
    for (int before = 1; before <= 30; before++) {
      int days = before;
      assertDays(
          "L-" + before + " * ?",
          month -> days < month.lengthOfMonth() ? month.atEndOfMonth().minusDays(days) : null);
    }
  }

  @Test
  void lastWeekdayIsRightInEveryMonth() {
    assertDays(
        "LW * ?",
        month ->
            daysOf(month)
                .filter(CronCalendarTest::isWeekday)
                .max(Comparator.naturalOrder())
                .orElseThrow());
  }

  /** Of two that are equally near there are none: Saturday and Sunday have one neighbour each. */
  @Test
  void nearestWeekdayIsRightInEveryMonth() {
    for (int number = 1; number <= 31; number++) {
      int day = number;
      assertDays(
          day + "W * ?",
          month ->
              month.isValidDay(day)
                  ? daysOf(month)
                      .filter(CronCalendarTest::isWeekday)
                      .min(Comparator.comparing(date -> Math.abs(date.getDayOfMonth() - day)))
                      .orElseThrow()
                  : null);
    }
  }

  @Test
  void numberedWeekdaysAreRightInEveryMonth() {
    for (DayOfWeek weekday : DayOfWeek.values()) {
      String name = weekday.name().substring(0, 3);
      assertDays(
          "? * " + name + "L",
          month -> month.atDay(1).with(TemporalAdjusters.lastInMonth(weekday)));
      for (int number = 1; number <= 5; number++) {
        int nth = number;
        assertDays(
            "? * " + name + "#" + nth,
            month ->
                Optional.of(month.atDay(1).with(TemporalAdjusters.dayOfWeekInMonth(nth, weekday)))
                    .filter(date -> YearMonth.from(date).equals(month))
                    .orElse(null));
      }
    }
  }

  @Test
  void leapDayIsThereInLeapYearsOnly() {
    assertDays(
        "29 2 ?",
        month -> month.getMonthValue() == 2 && month.isLeapYear() ? month.atDay(29) : null);
    assertThat(days("29 2 ?"))
        .contains(LocalDate.of(2000, 2, 29), LocalDate.of(2096, 2, 29))
        .doesNotContain(LocalDate.of(2100, 3, 1))
        .hasSize(34);
  }

  private static void assertDays(String days, Function<YearMonth, LocalDate> ofMonth) {
    List<LocalDate> expected =
        Stream.iterate(FIRST, month -> !month.isAfter(LAST), month -> month.plusMonths(1))
            .map(ofMonth)
            .filter(day -> day != null)
            .toList();
    assertThat(days(days)).as(days).isEqualTo(expected);
  }

  private static List<LocalDate> days(String days) {
    List<CronText.Part> parts = CronText.parts("0 0 0 " + days);
    DayPattern pattern = new DayPattern(CronDialect.QUARTZ.parse(parts));
    List<LocalDate> named = new ArrayList<>();
    long end = LAST.atEndOfMonth().toEpochDay();
    long day = pattern.nextFrom(FIRST.atDay(1).toEpochDay());
    while (day != DayPattern.NONE && day <= end) {
      named.add(LocalDate.ofEpochDay(day));
      day = pattern.nextFrom(day + 1);
    }
    return named;
  }

  private static Stream<LocalDate> daysOf(YearMonth month) {
    return IntStream.rangeClosed(1, month.lengthOfMonth()).mapToObj(month::atDay);
  }

  private static boolean isWeekday(LocalDate date) {
    return date.getDayOfWeek().getValue() < 6;
  }
}
