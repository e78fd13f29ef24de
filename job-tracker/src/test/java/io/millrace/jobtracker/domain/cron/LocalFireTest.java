package io.millrace.jobtracker.domain.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class LocalFireTest {
  private static final String NEW_YORK = "America/New_York";

  @Test
  void ordinaryFireHasNoNote() {
    assertThat(
            CronExpression.parse("0 0 12 * * ?")
                .firesAfter(
                    Instant.parse("2025-03-01T00:00:00Z"),
                    ZoneId.of("Asia/Shanghai"),
                    1,
                    Locale.ENGLISH))
        .containsExactly(
            new LocalFire(
                Instant.parse("2025-03-01T04:00:00Z"),
                OffsetDateTime.parse("2025-03-01T12:00:00+08:00"),
                null));
  }

  @Test
  void timeThatDoesNotExistIsNamed() {
    assertThat(lines("0 30 2 * * ?", NEW_YORK, "2025-03-08T12:00:00Z", 2))
        .containsExactly(
            "2025-03-09T07:00:00Z  2025-03-09T03:00:00-04:00"
                + "  02:30 does not exist: clocks go from 02:00 to 03:00",
            "2025-03-10T06:30:00Z  2025-03-10T02:30:00-04:00");
    assertThat(lines("0 0 0 * * ?", "America/Sao_Paulo", "2018-11-03T12:00:00Z", 1))
        .containsExactly(
            "2018-11-04T03:00:00Z  2018-11-04T01:00:00-02:00"
                + "  00:00 does not exist: clocks go from 00:00 to 01:00");
  }

  @Test
  void timesThatShareGapAreCounted() {
    assertThat(lines("0 0/10 2,3 * * ?", NEW_YORK, "2025-03-09T06:59:59Z", 2))
        .containsExactly(
            "2025-03-09T07:00:00Z  2025-03-09T03:00:00-04:00"
                + "  02:00 and 5 more do not exist: clocks go from 02:00 to 03:00",
            "2025-03-09T07:10:00Z  2025-03-09T03:10:00-04:00");
  }

  @Test
  void fireThatFallsOnTheEndOfGapByItselfHasNoNote() {
    assertThat(lines("0 0 3 * * ?", NEW_YORK, "2025-03-09T06:00:00Z", 1))
        .containsExactly("2025-03-09T07:00:00Z  2025-03-09T03:00:00-04:00");
    assertThat(lines("0 0 * * * ?", NEW_YORK, "2025-03-09T06:00:00Z", 1))
        .containsExactly("2025-03-09T07:00:00Z  2025-03-09T03:00:00-04:00");
  }

  @Test
  void dayThatNeverWasMovesNothing() {
    assertThat(lines("0 0 0,12 * * ?", "Pacific/Apia", "2011-12-30T00:00:00Z", 2))
        .containsExactly(
            "2011-12-30T10:00:00Z  2011-12-31T00:00:00+14:00",
            "2011-12-30T22:00:00Z  2011-12-31T12:00:00+14:00");
  }

  @Test
  void passesOfAnOverlapAreTold() {
    assertThat(lines("0 30 1 * * ?", NEW_YORK, "2025-11-02T04:00:00Z", 2))
        .containsExactly(
            "2025-11-02T05:30:00Z  2025-11-02T01:30:00-04:00"
                + "  first pass of an hour that comes twice",
            "2025-11-03T06:30:00Z  2025-11-03T01:30:00-05:00");
    assertThat(lines("0 0/30 * * * ?", NEW_YORK, "2025-11-02T04:40:00Z", 5))
        .containsExactly(
            "2025-11-02T05:00:00Z  2025-11-02T01:00:00-04:00"
                + "  first pass of an hour that comes twice",
            "2025-11-02T05:30:00Z  2025-11-02T01:30:00-04:00"
                + "  first pass of an hour that comes twice",
            "2025-11-02T06:00:00Z  2025-11-02T01:00:00-05:00"
                + "  second pass of an hour that comes twice",
            "2025-11-02T06:30:00Z  2025-11-02T01:30:00-05:00"
                + "  second pass of an hour that comes twice",
            "2025-11-02T07:00:00Z  2025-11-02T02:00:00-05:00");
  }

  @Test
  void lengthOfAnUnusualOverlapIsTold() {
    assertThat(lines("0 45 1 * * ?", "Australia/Lord_Howe", "2025-04-05T13:00:00Z", 1))
        .containsExactly(
            "2025-04-05T14:45:00Z  2025-04-06T01:45:00+11:00"
                + "  first pass of 30 minutes that come twice");
  }

  @Test
  void notesComeInChineseToo() {
    assertThat(notes("0 30 2 * * ?", "America/New_York", "2025-03-09T05:00:00Z"))
        .containsExactly("02:30 不存在：时钟从 02:00 拨到 03:00");
    assertThat(notes("0 0/20 2 * * ?", "America/New_York", "2025-03-09T05:00:00Z"))
        .containsExactly("02:00 以及另外 2 个时刻不存在：时钟从 02:00 拨到 03:00");
    assertThat(notes("0 0 * * * ?", "America/New_York", "2025-11-02T05:30:00Z"))
        .containsExactly("时钟回拨，这 1 小时出现两次，此为第二次");
    assertThat(notes("0 45 1 * * ?", "Australia/Lord_Howe", "2025-04-05T13:00:00Z"))
        .containsExactly("时钟回拨，这 30 分钟出现两次，此为第一次");
  }

  private static List<String> notes(String text, String zone, String after) {
    return CronExpression.parse(text)
        .firesAfter(Instant.parse(after), ZoneId.of(zone), 1, Locale.CHINESE)
        .stream()
        .map(LocalFire::note)
        .toList();
  }

  @Test
  void thereAreNoMoreThanThereAre() {
    assertThat(lines("0 0 0 1 1 ? 2030-2031", "UTC", "2025-01-01T00:00:00Z", 5)).hasSize(2);
    assertThat(lines("0 0 0 30 2 ?", "UTC", "2025-01-01T00:00:00Z", 5)).isEmpty();
  }

  private static List<String> lines(String text, String zone, String after, int count) {
    return CronExpression.parse(text)
        .firesAfter(Instant.parse(after), ZoneId.of(zone), count, Locale.ENGLISH)
        .stream()
        .map(LocalFire::toString)
        .toList();
  }
}
