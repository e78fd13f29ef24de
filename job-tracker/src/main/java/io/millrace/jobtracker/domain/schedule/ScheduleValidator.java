package io.millrace.jobtracker.domain.schedule;

import io.millrace.api.RejectReason;
import io.millrace.api.Schedule;
import io.millrace.internal.model.job.Rejection;
import io.millrace.internal.model.job.ScheduleValues;
import io.millrace.jobtracker.domain.cron.InvalidScheduleException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** Decides whether a schedule can be accepted. Immutable and thread-safe. */
public final class ScheduleValidator {
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
    return ScheduleValues.check(schedule).or(() -> checkFires(schedule, now));
  }

  /** The rejection of a schedule that has no fire time from now on. */
  public static Rejection neverFires(Schedule schedule, Instant now) {
    return new Rejection(RejectReason.NEVER_FIRES, whyNever(schedule, now));
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

  private static Optional<Rejection> rejected(RejectReason reason, String message) {
    return Optional.of(new Rejection(reason, message));
  }
}
