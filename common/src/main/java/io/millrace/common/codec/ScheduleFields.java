package io.millrace.common.codec;

import io.millrace.common.model.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** A schedule of any kind as one flat object; the kind decides which fields are used. */
record ScheduleFields(
    String kind,
    @Nullable Instant at,
    @Nullable Duration after,
    @Nullable String expression,
    @Nullable ZoneId zone,
    @Nullable Duration interval,
    @Nullable Duration delay,
    @Nullable Instant start,
    @Nullable Long times,
    @Nullable Instant end) {

  private static final String ONCE = "once";
  private static final String CRON = "cron";
  private static final String REPEAT = "repeat";
  private static final String FIXED_DELAY = "fixedDelay";

  static ScheduleFields of(Schedule schedule) {
    if (schedule instanceof Schedule.Once once) {
      return ofOnce(once);
    }
    if (schedule instanceof Schedule.Cron cron) {
      return new ScheduleFields(
          CRON,
          null,
          null,
          cron.expression(),
          cron.zone(),
          null,
          null,
          cron.start(),
          null,
          cron.end());
    }
    if (schedule instanceof Schedule.Repeat repeat) {
      return new ScheduleFields(
          REPEAT,
          null,
          null,
          null,
          null,
          repeat.interval(),
          null,
          repeat.start(),
          repeat.times(),
          repeat.end());
    }
    if (schedule instanceof Schedule.FixedDelay fixed) {
      return new ScheduleFields(
          FIXED_DELAY,
          null,
          null,
          null,
          null,
          null,
          fixed.delay(),
          fixed.start(),
          fixed.times(),
          fixed.end());
    }
    throw new IllegalArgumentException("unsupported kind of schedule: " + schedule.getClass());
  }

  private static ScheduleFields ofOnce(Schedule.Once once) {
    return new ScheduleFields(
        ONCE, once.at(), once.after(), null, null, null, null, null, null, null);
  }

  Schedule toSchedule() {
    return switch (kind) {
      case ONCE -> once();
      case CRON -> new Schedule.Cron(required("expression", expression), zone, start, end);
      case REPEAT -> new Schedule.Repeat(required("interval", interval), start, times, end);
      case FIXED_DELAY -> new Schedule.FixedDelay(required("delay", delay), start, times, end);
      default -> throw new InvalidValueException("is not a known kind").inside("kind");
    };
  }

  private Schedule once() {
    if (at != null && after != null) {
      throw new InvalidValueException("has both an instant and a delay, which exclude one another");
    }
    return new Schedule.Once(at, after);
  }

  private static <T> T required(String name, @Nullable T value) {
    if (value == null) {
      throw new InvalidValueException("is missing").inside(name);
    }
    return value;
  }
}
