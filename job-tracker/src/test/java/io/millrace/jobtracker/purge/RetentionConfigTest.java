package io.millrace.jobtracker.purge;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetentionConfigTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration LONGEST = Duration.ofDays(36_525);
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  @Test
  void shortestAndLongestAreTaken() {
    assertThatCode(
            () ->
                new RetentionConfig(
                    DAY.multipliedBy(2), 1_000, HOUR, HOUR, HOUR, DAY, DAY.multipliedBy(2)))
        .doesNotThrowAnyException();
    assertThatCode(
            () ->
                new RetentionConfig(
                    LONGEST, 1_000_000_000_000L, LONGEST, LONGEST, LONGEST, LONGEST, LONGEST))
        .doesNotThrowAnyException();
  }

  @Test
  void ledgerIsKeptLongerThanAnybodySendsAgain() {
    refused(DAY.multipliedBy(2).minus(MILLISECOND), 1_000, HOUR, HOUR, DAY)
        .hasMessage(
            "ledger.keep must be at least 2 days, or a submit that a client repeats after a"
                + " day could run twice");
  }

  @Test
  void whatIsOutOfBoundsIsRefusedByItsName() {
    refused(LONGEST.plus(MILLISECOND), 1_000, HOUR, HOUR, DAY)
        .hasMessageStartingWith("ledger.keep");
    refused(LONGEST, 999, HOUR, HOUR, DAY).hasMessageStartingWith("ledger.max-rows");
    refused(LONGEST, 1_000_000_000_001L, HOUR, HOUR, DAY).hasMessageStartingWith("ledger.max-rows");
    refused(LONGEST, 1_000, HOUR.minus(MILLISECOND), HOUR, DAY)
        .hasMessageStartingWith("job-log.keep");
    refused(LONGEST, 1_000, LONGEST.plus(MILLISECOND), HOUR, DAY)
        .hasMessageStartingWith("job-log.keep");
    refused(LONGEST, 1_000, HOUR, HOUR.minus(MILLISECOND), DAY)
        .hasMessageStartingWith("feedback.keep");
    refused(LONGEST, 1_000, HOUR, LONGEST.plus(MILLISECOND), DAY)
        .hasMessageStartingWith("feedback.keep");
    refused(LONGEST, 1_000, HOUR, HOUR, DAY.minus(MILLISECOND))
        .hasMessage("audit.keep must be between 1 day and 36525 days");
    refused(LONGEST, 1_000, HOUR, HOUR, LONGEST.plus(MILLISECOND))
        .hasMessageStartingWith("audit.keep");
  }

  @Test
  void partsAreKeptForAnHourAtLeast() {
    assertThatThrownBy(
            () ->
                new RetentionConfig(
                    LONGEST, 1_000, HOUR, HOUR, HOUR.minus(MILLISECOND), DAY, LONGEST))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("batch.keep must be between 1 hour and 36525 days");
  }

  @Test
  void countsOfHoursAreKeptNoShorterThanThoseOfMinutes() {
    Duration tooShort = DAY.multipliedBy(2).minus(MILLISECOND);
    assertThatThrownBy(() -> new RetentionConfig(LONGEST, 1_000, HOUR, HOUR, HOUR, DAY, tooShort))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("counts.keep must be between 2 days and 36525 days");
  }

  private static org.assertj.core.api.AbstractThrowableAssert<?, ?> refused(
      Duration ledger, long rows, Duration jobLog, Duration feedback, Duration audit) {
    return assertThatThrownBy(
            () -> new RetentionConfig(ledger, rows, jobLog, feedback, HOUR, audit, LONGEST))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
