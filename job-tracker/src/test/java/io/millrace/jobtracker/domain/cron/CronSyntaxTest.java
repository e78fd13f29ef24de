package io.millrace.jobtracker.domain.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CronSyntaxTest {

  @Test
  void badFieldIsNamedWithItsPosition() {
    assertBad("60 * * * * ?", "second", 0);
    assertBad("0  61 * * * ?", "minute", 3);
    assertBad("0 0 24 * * ?", "hour", 4);
    assertBad("0 0 0 32 * ?", "day-of-month", 6);
    assertBad("0 0 0 1 FOO ?", "month", 8);
    assertBad("0 0 0 ? * 8", "day-of-week", 10);
    assertBad("0 0 0 1 1 ? 1969", "year", 12);
    assertBad("  0 0 * * MON-", "day-of-week", 10);
    assertBad("*/0 * * * *", "minute", 0);
    assertBad("0 25 * * *", "hour", 2);
  }

  @Test
  void wrongNumberOfFieldsIsPlacedWhereTheTextEndsOrTheFirstOneTooManyBegins() {
    assertBad("", "expression", 0);
    assertBad("   ", "expression", 3);
    assertBad("* * * *", "expression", 7);
    assertBad("0 0 0 1 1 ? 2025 x", "expression", 17);
    assertBad(" @fortnightly", "expression", 1);
    assertBad("@daily @daily", "expression", 13);
    assertBad("@reboot", "expression", 0);
  }

  @Test
  void textOverTheBoundIsRefusedUnread() {
    assertBad("0 ".repeat(200), "expression", 256);
    assertThat(CronExpression.parse("0 0 0 * * ?" + " ".repeat(245))).isNotNull();
  }

  @Test
  void malformedElementsThatTheParserWouldLetPassAreRefused() {
    for (String day : List.of("5#", "#5", "1#6", "1#0", "LW", "L-3", "?,1", "MON,", ",MON")) {
      assertBad("0 0 0 ? * " + day, "day-of-week", 10);
    }
    for (String day : List.of("5L", "L-0", "LL", "W", "0W", "10-L", "1W-5", "L-3W", "?/2", "1#2")) {
      assertBad("0 0 0 " + day + " * ?", "day-of-month", 6);
    }
    for (String hour :
        List.of("+5", "-5", "5-", "1-5/", "/", "1//2", "*5", "5*", "1-2-3", "1/2/3")) {
      assertBad("0 0 " + hour + " * * ?", "hour", 4);
    }
    for (String hour : List.of("?", "L", "MON", "*/24", "5|6", "\uff15", "${1}", "0x1", "99999")) {
      assertBad("0 0 " + hour + " * * ?", "hour", 4);
    }
  }

  @Test
  void unixFieldsTakeNoQuartzSigns() {
    assertBad("0 0 ? * 1", "day-of-month", 4);
    assertBad("0 0 L * *", "day-of-month", 4);
    assertBad("0 0 * * MON#1", "day-of-week", 8);
  }

  @Test
  void messageShowsNothingUnprintable() {
    assertThatThrownBy(() -> CronExpression.parse("0 0 \u001b[31m * * ?"))
        .hasMessageContaining("'?[31M'")
        .hasMessageContaining("position 4");
  }

  @Test
  void quartzTakesOneQuestionMarkOrTwoStars() {
    assertBad("0 0 0 ? * ?", "day-of-week", 10);
    assertBad("0 0 0 1 * MON", "day-of-week", 10);
    assertBad("0 0 0 * * MON", "day-of-week", 10);
    assertThat(CronExpression.parse("0 0 0 * * *").nextAfter(Instant.EPOCH, ZoneOffset.UTC))
        .contains(Instant.parse("1970-01-02T00:00:00Z"));
  }

  @Test
  void nicknamesAreUnderstood() {
    assertThat(next("@yearly", "2025-03-05T10:30:00Z")).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(next("@annually", "2025-03-05T10:30:00Z")).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(next("@monthly", "2025-03-05T10:30:00Z")).isEqualTo("2025-04-01T00:00:00Z");
    assertThat(next("@weekly", "2025-03-05T10:30:00Z")).isEqualTo("2025-03-09T00:00:00Z");
    assertThat(next("@daily", "2025-03-05T10:30:00Z")).isEqualTo("2025-03-06T00:00:00Z");
    assertThat(next("@MIDNIGHT", "2025-03-05T10:30:00Z")).isEqualTo("2025-03-06T00:00:00Z");
    assertThat(next(" @hourly ", "2025-03-05T10:30:00Z")).isEqualTo("2025-03-05T11:00:00Z");
  }

  @Test
  void quartzCountsWeekdaysFromSundayAsOneAndUnixAsNought() {
    assertThat(days("0 0 0 ? * 1", 2025, 3)).containsExactly(2, 9, 16, 23, 30);
    assertThat(days("0 0 0 ? * sun", 2025, 3)).containsExactly(2, 9, 16, 23, 30);
    assertThat(days("0 0 * * 0", 2025, 3)).containsExactly(2, 9, 16, 23, 30);
    assertThat(days("0 0 * * 7", 2025, 3)).containsExactly(2, 9, 16, 23, 30);
    assertThat(days("0 0 * * SUN", 2025, 3)).containsExactly(2, 9, 16, 23, 30);
  }

  @Test
  void rangesMayWrapAround() {
    assertThat(days("0 0 0 ? * FRI-MON", 2025, 3).subList(0, 6)).containsExactly(1, 2, 3, 7, 8, 9);
    assertThat(days("0 0 * * FRI-MON", 2025, 3).subList(0, 6)).containsExactly(1, 2, 3, 7, 8, 9);
    assertThat(days("0 0 * * SUN-TUE", 2025, 3).subList(0, 4)).containsExactly(2, 3, 4, 9);
    assertThat(days("0 0 * * FRI-MON/2", 2025, 3).subList(0, 4)).containsExactly(2, 7, 9, 14);
    assertThat(days("0 0 0 30-2 * ?", 2025, 3)).containsExactly(1, 2, 30, 31);
    assertThat(next("0 0 0 1 NOV-FEB ?", "2025-02-01T00:00:00Z")).isEqualTo("2025-11-01T00:00:00Z");
    assertThat(next("0 0 22-2/2 * * ?", "2025-02-01T02:00:00Z")).isEqualTo("2025-02-01T22:00:00Z");
  }

  @Test
  void lastDaysOfTheMonthAreFound() {
    assertThat(days("0 0 0 L * ?", 2024, 2)).containsExactly(29);
    assertThat(days("0 0 0 L-3 * ?", 2025, 2)).containsExactly(25);
    assertThat(days("0 0 0 L-30 * ?", 2025, 2)).isEmpty();
    assertThat(days("0 0 0 LW * ?", 2025, 8)).containsExactly(29);
    assertThat(days("0 0 0 LW * ?", 2025, 11)).containsExactly(28);
    assertThat(days("0 0 0 1,15W,L * ?", 2025, 2)).containsExactly(1, 14, 28);
  }

  @Test
  void nearestWeekdayStaysInItsMonth() {
    assertThat(days("0 0 0 1W * ?", 2025, 2)).containsExactly(3);
    assertThat(days("0 0 0 1W * ?", 2025, 6)).containsExactly(2);
    assertThat(days("0 0 0 31W * ?", 2025, 8)).containsExactly(29);
    assertThat(days("0 0 0 31W * ?", 2025, 5)).containsExactly(30);
    assertThat(days("0 0 0 31W * ?", 2025, 9)).isEmpty();
  }

  @Test
  void numberedWeekdaysAreFound() {
    assertThat(days("0 0 0 ? * 6#3", 2025, 3)).containsExactly(21);
    assertThat(days("0 0 0 ? * SAT#5", 2025, 3)).containsExactly(29);
    assertThat(days("0 0 0 ? * SAT#5", 2025, 4)).isEmpty();
    assertThat(days("0 0 0 ? * 6L", 2025, 2)).containsExactly(28);
    assertThat(days("0 0 0 ? * FRIL", 2025, 2)).containsExactly(28);
    assertThat(days("0 0 0 ? * L", 2025, 2)).containsExactly(1, 8, 15, 22);
    assertThat(days("0 0 0 ? * MON#1,FRIL", 2025, 2)).containsExactly(3, 28);
  }

  @Test
  void unixDayMatchesIfEitherRestrictedFieldDoes() {
    assertThat(days("0 0 13 * FRI", 2025, 6)).containsExactly(6, 13, 20, 27);
    assertThat(days("0 0 1 * FRI", 2025, 6)).containsExactly(1, 6, 13, 20, 27);
    assertThat(days("0 0 */2 * FRI", 2025, 6)).containsExactly(13, 27);
    assertThat(days("0 0 10 * */3", 2025, 8)).containsExactly(10);
  }

  @Test
  void equalTextsAreEqualExpressions() {
    assertThat(CronExpression.parse("@daily"))
        .isEqualTo(CronExpression.parse("@daily"))
        .hasSameHashCodeAs(CronExpression.parse("@daily"))
        .isNotEqualTo(CronExpression.parse("@hourly"))
        .hasToString("@daily");
  }

  private static void assertBad(String text, String field, int position) {
    InvalidScheduleException e =
        catchThrowableOfType(InvalidScheduleException.class, () -> CronExpression.parse(text));
    assertThat(e)
        .as(text)
        .hasMessageStartingWith("invalid cron " + field + " at position " + position + ": ");
  }

  private static String next(String text, String after) {
    return CronExpression.parse(text)
        .nextAfter(Instant.parse(after), ZoneOffset.UTC)
        .orElseThrow()
        .toString();
  }

  private static List<Integer> days(String text, int year, int month) {
    CronExpression expression = CronExpression.parse(text);
    LocalDate first = LocalDate.of(year, month, 1);
    Instant end = first.plusMonths(1).atStartOfDay().toInstant(ZoneOffset.UTC);
    List<Integer> days = new ArrayList<>();
    Optional<Instant> next =
        expression.nextAfter(
            first.atStartOfDay().toInstant(ZoneOffset.UTC).minusSeconds(1), ZoneOffset.UTC);
    while (next.isPresent() && next.get().isBefore(end)) {
      days.add(next.get().atZone(ZoneOffset.UTC).getDayOfMonth());
      next = expression.nextAfter(next.get(), ZoneOffset.UTC);
    }
    return days;
  }
}
