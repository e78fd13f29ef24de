package io.millrace.jobtracker.domain.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CronExpressionTest {
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");

  @Test
  void timeInGapFiresAtTheFirstInstantAfterIt() {
    assertThat(fires("0 30 2 * * ?", NEW_YORK, "2025-03-08T12:00:00Z", 2))
        .containsExactly("2025-03-09T07:00:00Z", "2025-03-10T06:30:00Z");
  }

  @Test
  void everyHalfHourFiresFiftyTimesOnTheDayTheClockGoesBack() {
    List<Instant> fires = dayOf("0 0/30 * * * ?", NEW_YORK, LocalDate.of(2025, 11, 2));

    assertThat(fires).hasSize(50);
    for (int i = 1; i < fires.size(); i++) {
      assertThat(fires.get(i)).isEqualTo(fires.get(i - 1).plusSeconds(1800));
    }
  }

  @Test
  void timeInOverlapFiresOnceAtTheFirstPass() {
    assertThat(dayOf("0 30 1 * * ?", NEW_YORK, LocalDate.of(2025, 11, 2)))
        .containsExactly(Instant.parse("2025-11-02T05:30:00Z"));
  }

  @Test
  void askingWithinTheSecondPassDoesNotRepeatTheFirst() {
    assertThat(fires("0 30,45 1 * * ?", NEW_YORK, "2025-11-02T06:10:00Z", 1))
        .containsExactly("2025-11-03T06:30:00Z");
  }

  @Test
  void timesThatShareGapFireTogetherOnce() {
    assertThat(fires("0 0/10 2,3 * * ?", NEW_YORK, "2025-03-09T06:00:00Z", 3))
        .containsExactly("2025-03-09T07:00:00Z", "2025-03-09T07:10:00Z", "2025-03-09T07:20:00Z");
  }

  @Test
  void halfHourShiftOfLordHoweIsRight() {
    ZoneId lordHowe = ZoneId.of("Australia/Lord_Howe");
    // 2025-10-05 02:00 +10:30 becomes 02:30 +11.
    assertThat(fires("0 15 2 * * ?", lordHowe, "2025-10-04T12:00:00Z", 1))
        .containsExactly("2025-10-04T15:30:00Z");
    // 2025-04-06 02:00 +11 becomes 01:30 +10:30.
    assertThat(dayOf("0 45 1 * * ?", lordHowe, LocalDate.of(2025, 4, 6)))
        .containsExactly(Instant.parse("2025-04-05T14:45:00Z"));
    assertThat(dayOf("0 0/30 * * * ?", lordHowe, LocalDate.of(2025, 4, 6))).hasSize(49);
  }

  @Test
  void dayThatNeverWasHasNoFire() {
    ZoneId apia = ZoneId.of("Pacific/Apia");
    assertThat(fires("0 0 12 * * ?", apia, "2011-12-29T00:00:00Z", 2))
        .containsExactly("2011-12-29T22:00:00Z", "2011-12-30T22:00:00Z");
    assertThat(fires("0 0 0 30 12 ? 2011", apia, "2011-01-01T00:00:00Z", 1)).isEmpty();
  }

  @Test
  void midnightInGapFiresAtTheFirstInstantOfTheDay() {
    // 2018-11-04 00:00 -03 becomes 01:00 -02.
    assertThat(fires("0 0 0 * * ?", ZoneId.of("America/Sao_Paulo"), "2018-11-03T12:00:00Z", 2))
        .containsExactly("2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z");
    // 2024-04-26 00:00 +02 becomes 01:00 +03.
    assertThat(fires("@daily", ZoneId.of("Africa/Cairo"), "2024-04-25T12:00:00Z", 2))
        .containsExactly("2024-04-25T22:00:00Z", "2024-04-26T21:00:00Z");
  }

  @Test
  void negativeDaylightSavingOfDublinIsRight() {
    ZoneId dublin = ZoneId.of("Europe/Dublin");
    assertThat(fires("0 30 1 * * ?", dublin, "2025-03-29T12:00:00Z", 2))
        .containsExactly("2025-03-30T01:00:00Z", "2025-03-31T00:30:00Z");
    assertThat(dayOf("0 30 1 * * ?", dublin, LocalDate.of(2025, 10, 26)))
        .containsExactly(Instant.parse("2025-10-26T00:30:00Z"));
  }

  @Test
  void wildcardHourFiresOnBothPassesAndNeverInGap() {
    assertThat(dayOf("0 30 * * * ?", NEW_YORK, LocalDate.of(2025, 11, 2))).hasSize(25);
    assertThat(dayOf("0 30 * * * ?", NEW_YORK, LocalDate.of(2025, 3, 9))).hasSize(23);
  }

  @Test
  void rangeInTheHourIsIntervalLike() {
    assertThat(dayOf("0 30 1-1 * * ?", NEW_YORK, LocalDate.of(2025, 11, 2))).hasSize(2);
    assertThat(dayOf("0 30 2-2 * * ?", NEW_YORK, LocalDate.of(2025, 3, 9))).isEmpty();
  }

  @Test
  void lastFireOfTheLastYearMayBeTheSecondPass() {
    assertThat(fires("0 30 1-1 2 11 ? 2025", NEW_YORK, "2025-11-01T00:00:00Z", 3))
        .containsExactly("2025-11-02T05:30:00Z", "2025-11-02T06:30:00Z");
  }

  @Test
  void impossibleDateNeverFires() {
    assertThat(fires("0 0 0 30 2 ?", NEW_YORK, "2025-01-01T00:00:00Z", 1)).isEmpty();
    assertThat(fires("0 0 * 30 2 ?", NEW_YORK, "2025-01-01T00:00:00Z", 1)).isEmpty();
  }

  @Test
  void yearsThatAreOverNeverFire() {
    assertThat(fires("0 0 0 1 1 ? 2020-2024", UTC, "2025-01-01T00:00:00Z", 1)).isEmpty();
  }

  @Test
  void yearsBeyond2099Fire() {
    assertThat(fires("0 0 0 29 2 ?", UTC, "2096-03-01T00:00:00Z", 1))
        .containsExactly("2104-02-29T00:00:00Z");
    assertThat(fires("0 0 0 1 1 ? *", UTC, "2150-06-01T00:00:00Z", 1))
        .containsExactly("2151-01-01T00:00:00Z");
    assertThat(fires("0 0 0 1 1 ? 9999", UTC, "2025-01-01T00:00:00Z", 2))
        .containsExactly("9999-01-01T00:00:00Z");
  }

  @Test
  void leapDayFiresInLeapYearsAndNotIn2100() {
    assertThat(fires("0 0 2 29 2 ?", NEW_YORK, "2088-03-01T00:00:00Z", 4))
        .containsExactly(
            "2092-02-29T07:00:00Z",
            "2096-02-29T07:00:00Z",
            "2104-02-29T07:00:00Z",
            "2108-02-29T07:00:00Z");
    assertThat(fires("0 2 29 2 *", UTC, "1970-01-01T00:00:00Z", 1))
        .containsExactly("1972-02-29T02:00:00Z");
    assertThat(fires("0 0 2 29 2 ? 2097-2103", UTC, "1970-01-01T00:00:00Z", 1)).isEmpty();
  }

  @Test
  void gapThatEndsBetweenTwoMinutesIsRight() {
    // 1972-01-07 00:00:00 -00:44:30 becomes 00:44:30 Z.
    assertThat(fires("0 20 0 * * ?", ZoneId.of("Africa/Monrovia"), "1972-01-06T12:00:00Z", 2))
        .containsExactly("1972-01-07T00:44:30Z", "1972-01-08T00:20:00Z");
  }

  @Test
  void nextIsStrictlyAfterAlsoWithinTheSecond() {
    assertThat(fires("* * * * * ?", UTC, "2025-01-01T00:00:00Z", 1))
        .containsExactly("2025-01-01T00:00:01Z");
    assertThat(fires("* * * * * ?", UTC, "2025-01-01T00:00:00.999Z", 1))
        .containsExactly("2025-01-01T00:00:01Z");
  }

  @Test
  void instantsAtTheEndsOfTimeAreTaken() {
    CronExpression daily = CronExpression.parse("@daily");
    assertThat(daily.nextAfter(Instant.MIN, NEW_YORK))
        .contains(Instant.parse("1970-01-01T05:00:00Z"));
    assertThat(daily.nextAfter(Instant.MAX, NEW_YORK)).isEmpty();
  }

  private static List<String> fires(String text, ZoneId zone, String after, int count) {
    CronExpression expression = CronExpression.parse(text);
    List<String> fires = new ArrayList<>();
    Optional<Instant> next = expression.nextAfter(Instant.parse(after), zone);
    while (next.isPresent() && fires.size() < count) {
      fires.add(next.get().toString());
      next = expression.nextAfter(next.get(), zone);
    }
    return fires;
  }

  private static List<Instant> dayOf(String text, ZoneId zone, LocalDate day) {
    CronExpression expression = CronExpression.parse(text);
    Instant end = day.plusDays(1).atStartOfDay(zone).toInstant();
    List<Instant> fires = new ArrayList<>();
    Optional<Instant> next =
        expression.nextAfter(day.atStartOfDay(zone).toInstant().minusSeconds(1), zone);
    while (next.isPresent() && next.get().isBefore(end)) {
      fires.add(next.get());
      next = expression.nextAfter(next.get(), zone);
    }
    return fires;
  }
}
