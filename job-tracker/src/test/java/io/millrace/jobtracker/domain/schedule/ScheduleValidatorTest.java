package io.millrace.jobtracker.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.RejectReason;
import io.millrace.api.Schedule;
import io.millrace.internal.model.job.Rejection;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScheduleValidatorTest {
  private static final Instant NOW = Instant.parse("2025-06-01T10:00:00Z");
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final ScheduleValidator VALIDATOR = new ScheduleValidator(ZoneOffset.UTC);

  @Test
  void goodSchedulesPass() {
    List<Schedule> good =
        List.of(
            new Schedule.Once(null, null),
            new Schedule.Once(NOW.minusSeconds(3600), null),
            new Schedule.Once(null, Duration.ZERO),
            new Schedule.Cron("0 0 0 29 2 ?", null),
            new Schedule.Repeat(Duration.ofMillis(1), null, 1L),
            new Schedule.Repeat(Duration.ofDays(36_525), NOW.minusSeconds(60), null),
            new Schedule.FixedDelay(SECOND, NOW.minusSeconds(60), 3L),
            new Schedule.Cron("* * * * * ?", null, NOW.minusSeconds(60), NOW.plusMillis(1)),
            new Schedule.Repeat(SECOND, NOW, null, NOW.plusMillis(1)),
            new Schedule.FixedDelay(SECOND, NOW.plusSeconds(60), null, NOW.plusSeconds(61)));

    assertThat(good).allSatisfy(schedule -> assertThat(check(schedule)).isEmpty());
  }

  @Test
  void badCronIsRefusedWithItsPosition() {
    assertThat(check(new Schedule.Cron("0 0 25 * * ?", null)))
        .hasValueSatisfying(
            rejection -> {
              assertThat(rejection.reason()).isEqualTo(RejectReason.BAD_CRON);
              assertThat(rejection.message()).contains("hour", "position 4", "25");
            });
  }

  @Test
  void scheduleThatNeverFiresIsRefused() {
    assertReason(new Schedule.Cron("0 0 0 30 2 ?", null), RejectReason.NEVER_FIRES);
  }

  @Test
  void endThatIsNotAfterTheStartIsRefused() {
    Instant start = NOW.plusSeconds(60);
    for (Schedule bad :
        List.of(
            new Schedule.Cron("* * * * * ?", null, start, start),
            new Schedule.Repeat(SECOND, start, null, start.minusSeconds(1)),
            new Schedule.FixedDelay(SECOND, start, null, start))) {
      assertNeverFires(bad, "end " + bad.end() + " must be after start " + start);
    }
  }

  /** It may be the schedule of a job that is stored already. */
  @Test
  void scheduleWhoseTimesHavePassedIsNotWrong() {
    for (Schedule past :
        List.of(
            new Schedule.Cron("0 0 0 1 1 ? 2020-2025", null),
            new Schedule.Repeat(SECOND, NOW.minusSeconds(60), 60L),
            new Schedule.Cron("* * * * * ?", null, null, NOW),
            new Schedule.Repeat(SECOND, NOW.minusSeconds(60), null, NOW))) {
      assertThat(check(past)).isEmpty();
    }
  }

  @Test
  void saysWhyNothingIsLeftOfASchedule() {
    Instant start = NOW.plusSeconds(60);
    Instant end = NOW.plusSeconds(3600);
    assertWhy(
        new Schedule.Cron("* * * * * ?", null, null, NOW),
        "end " + NOW + " must be after now, " + NOW);
    assertWhy(
        new Schedule.Repeat(SECOND, NOW.minusSeconds(60), 60L),
        "no fire time is after " + NOW + ", from start " + NOW.minusSeconds(60) + " on");
    assertWhy(
        new Schedule.Cron("0 0 11 * * ?", null, start, end),
        "no fire time is after " + NOW + ", from start " + start + " on, before end " + end);
  }

  private static void assertWhy(Schedule schedule, String message) {
    assertThat(ScheduleValidator.neverFires(schedule, NOW))
        .isEqualTo(new Rejection(RejectReason.NEVER_FIRES, message));
  }

  @Test
  void boundsWithoutFireTimeBetweenThemAreRefused() {
    Instant start = NOW.plusSeconds(60);
    Instant end = NOW.plusSeconds(120);

    assertNeverFires(
        new Schedule.Cron("0 0 11 * * ?", null, start, end),
        "no fire time is after " + NOW + ", from start " + start + " on, before end " + end);
  }

  @Test
  void badCronIsNamedBeforeItsBounds() {
    assertReason(new Schedule.Cron("0 0 25 * * ?", null, NOW, NOW), RejectReason.BAD_CRON);
  }

  @Test
  void intervalOutOfBoundsIsRefused() {
    for (Duration bad :
        List.of(
            Duration.ZERO,
            Duration.ofNanos(999_999),
            Duration.ofSeconds(-1),
            Duration.ofDays(36_525).plusMillis(1),
            Duration.ofSeconds(Long.MAX_VALUE))) {
      assertReason(new Schedule.Repeat(bad, null, null), RejectReason.BAD_INTERVAL);
      assertReason(new Schedule.FixedDelay(bad, null, null), RejectReason.BAD_INTERVAL);
    }
    assertReason(new Schedule.Once(null, Duration.ofMillis(-1)), RejectReason.BAD_INTERVAL);
    assertReason(new Schedule.Once(null, Duration.ofDays(40_000)), RejectReason.BAD_INTERVAL);
  }

  @Test
  void countBelowOneIsRefused() {
    assertReason(new Schedule.Repeat(SECOND, null, 0L), RejectReason.BAD_TIMES);
    assertReason(new Schedule.FixedDelay(SECOND, null, -1L), RejectReason.BAD_TIMES);
  }

  @Test
  void instantOutsideTheYearsIsRefused() {
    for (Instant bad :
        List.of(
            Instant.MIN,
            Instant.EPOCH.minusMillis(1),
            Instant.parse("+10000-01-01T00:00:00Z"),
            Instant.MAX)) {
      assertReason(new Schedule.Once(bad, null), RejectReason.BAD_INSTANT);
      assertReason(new Schedule.Repeat(SECOND, bad, null), RejectReason.BAD_INSTANT);
      assertReason(new Schedule.FixedDelay(SECOND, bad, null), RejectReason.BAD_INSTANT);
      assertReason(new Schedule.Cron("@daily", null, bad, null), RejectReason.BAD_INSTANT);
      assertReason(new Schedule.Cron("@daily", null, null, bad), RejectReason.BAD_INSTANT);
      assertReason(new Schedule.Repeat(SECOND, null, null, bad), RejectReason.BAD_INSTANT);
      assertReason(new Schedule.FixedDelay(SECOND, null, null, bad), RejectReason.BAD_INSTANT);
    }
  }

  private static void assertNeverFires(Schedule schedule, String message) {
    assertThat(check(schedule)).contains(new Rejection(RejectReason.NEVER_FIRES, message));
  }

  private static void assertReason(Schedule schedule, RejectReason reason) {
    assertThat(check(schedule).map(Rejection::reason)).as("%s", schedule).contains(reason);
  }

  private static Optional<Rejection> check(Schedule schedule) {
    return VALIDATOR.check(schedule, NOW);
  }
}
