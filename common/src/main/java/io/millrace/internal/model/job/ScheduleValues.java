package io.millrace.internal.model.job;

import io.millrace.api.RejectReason;
import io.millrace.api.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the values of a schedule are within their bounds. Does not read cron expressions.
 */
public final class ScheduleValues {
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(36_525);
  private static final Instant FIRST = Instant.EPOCH;
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

  private ScheduleValues() {}

  /** The first fault of the schedule, or empty if its values are valid. */
  public static Optional<Rejection> check(Schedule schedule) {
    if (schedule instanceof Schedule.Once once) {
      return checkInstant("at", once.at()).or(() -> checkDelay(once.after()));
    }
    if (schedule instanceof Schedule.Repeat repeat) {
      return checkInterval("interval", repeat.interval())
          .or(() -> checkBounds(repeat.start(), repeat.end()))
          .or(() -> checkTimes(repeat.times()));
    }
    if (schedule instanceof Schedule.FixedDelay delay) {
      return checkInterval("delay", delay.delay())
          .or(() -> checkBounds(delay.start(), delay.end()))
          .or(() -> checkTimes(delay.times()));
    }
    Schedule.Cron cron = (Schedule.Cron) schedule;
    return checkBounds(cron.start(), cron.end());
  }

  private static Optional<Rejection> checkInterval(String name, Duration value) {
    return value.compareTo(SHORTEST) < 0 || value.compareTo(LONGEST) > 0
        ? rejected(
            RejectReason.BAD_INTERVAL,
            name + " " + value + " must be between 1 ms and " + LONGEST.toDays() + " days")
        : Optional.empty();
  }

  private static Optional<Rejection> checkDelay(@Nullable Duration value) {
    return value != null && (value.isNegative() || value.compareTo(LONGEST) > 0)
        ? rejected(
            RejectReason.BAD_INTERVAL,
            "after " + value + " must be between 0 and " + LONGEST.toDays() + " days")
        : Optional.empty();
  }

  private static Optional<Rejection> checkBounds(@Nullable Instant start, @Nullable Instant end) {
    return checkInstant("start", start).or(() -> checkInstant("end", end));
  }

  private static Optional<Rejection> checkInstant(String name, @Nullable Instant value) {
    return value != null && (value.isBefore(FIRST) || value.isAfter(LAST))
        ? rejected(
            RejectReason.BAD_INSTANT, name + " " + value + " must be within the years 1970 to 9999")
        : Optional.empty();
  }

  private static Optional<Rejection> checkTimes(@Nullable Long value) {
    return value != null && value < 1
        ? rejected(RejectReason.BAD_TIMES, "times " + value + " must be at least 1")
        : Optional.empty();
  }

  private static Optional<Rejection> rejected(RejectReason reason, String message) {
    return Optional.of(new Rejection(reason, message));
  }
}
