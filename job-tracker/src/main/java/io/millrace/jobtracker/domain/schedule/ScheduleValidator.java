package io.millrace.jobtracker.domain.schedule;

import io.millrace.api.RejectReason;
import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.Rejection;
import io.millrace.jobtracker.domain.cron.InvalidScheduleException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides whether a schedule can be accepted. Immutable and thread-safe. */
public final class ScheduleValidator {
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(36_525);

  private final ZoneId defaultZone;

  /** Creates a validator for a tracker; cron expressions without a zone are in this one. */
  public ScheduleValidator(ZoneId defaultZone) {
    this.defaultZone = defaultZone;
  }

  /**
   * The first fault of the schedule of a job submitted now, or empty if it is valid. It is no fault
   * that all its fire times have passed: the job may be stored already, and be sent again. See
   * {@link #neverFires}.
   */
  public Optional<Rejection> check(Schedule schedule, Instant now) {
    return checkValues(schedule).or(() -> checkFires(schedule, now));
  }

  /** The rejection of a schedule that has no fire time from now on. */
  public static Rejection neverFires(Schedule schedule, Instant now) {
    return new Rejection(RejectReason.NEVER_FIRES, whyNever(schedule, now));
  }

  private static Optional<Rejection> checkValues(Schedule schedule) {
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

  private Optional<Rejection> checkFires(Schedule schedule, Instant now) {
    try {
      FireTimes times = FireTimes.of(schedule, now, defaultZone);
      return times.first(now).isPresent() || times.first(Instant.EPOCH).isPresent()
          ? Optional.empty()
          : Optional.of(neverFires(schedule, now));
    } catch (InvalidScheduleException e) {
      return rejected(RejectReason.BAD_CRON, String.valueOf(e.getMessage()));
    }
  }

  private static String whyNever(Schedule schedule, Instant now) {
    Instant start = schedule.start();
    Instant end = schedule.end();
    if (end != null && start != null && !end.isAfter(start)) {
      return "end " + end + " must be after start " + start;
    }
    if (end != null && !end.isAfter(now)) {
      return "end " + end + " must be after now, " + now;
    }
    return "no fire time is after "
        + now
        + (start == null ? "" : ", from start " + start + " on")
        + (end == null ? "" : ", before end " + end);
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
    return value != null && !EpochMillis.isInside(value)
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
