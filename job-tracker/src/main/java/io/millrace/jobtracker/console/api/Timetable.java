package io.millrace.jobtracker.console.api;

import io.millrace.common.model.Schedule;
import io.millrace.jobtracker.domain.schedule.CronExpression;
import io.millrace.jobtracker.domain.schedule.FireTimes;
import io.millrace.jobtracker.domain.schedule.InvalidScheduleException;
import io.millrace.jobtracker.domain.schedule.LocalFire;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says when schedules fire, in words and in instants. Immutable and thread-safe. */
final class Timetable {
  private final ZoneId defaultZone;

  /** For a tracker whose cron expressions without a zone are in this one. */
  Timetable(ZoneId defaultZone) {
    this.defaultZone = defaultZone;
  }

  /** The zone whose clocks a schedule goes by. */
  ZoneId zoneOf(Schedule schedule) {
    return schedule instanceof Schedule.Cron cron
        ? Objects.requireNonNullElse(cron.zone(), defaultZone)
        : defaultZone;
  }

  /**
   * The first fire time at or after now; null if there is none, or if it is known only once the run
   * before it has ended.
   *
   * @param acceptedAt when the schedule was accepted
   */
  @Nullable Instant first(Schedule schedule, Instant acceptedAt, Instant now) {
    try {
      FireTimes times = FireTimes.of(schedule, acceptedAt, defaultZone);
      return times.isForeseeable() ? times.first(now).orElse(null) : null;
    } catch (InvalidScheduleException e) {
      return null;
    }
  }

  /** The next fire times at or after now: so many, or fewer if no more can be foreseen. */
  List<Fire> next(Schedule schedule, Instant acceptedAt, Instant now, int count) {
    FireTimes times = FireTimes.of(schedule, acceptedAt, defaultZone);
    ZoneId zone = zoneOf(schedule);
    CronExpression cron =
        schedule instanceof Schedule.Cron of ? CronExpression.parse(of.expression()) : null;
    List<Fire> fires = new ArrayList<>();
    Optional<Instant> next = times.first(now);
    while (next.isPresent() && fires.size() < count) {
      Instant at = next.get();
      fires.add(cron == null ? Fire.of(at, zone) : Fire.of(LocalFire.of(cron, zone, at)));
      next = times.nextAfter(at);
    }
    return fires;
  }

  /** A schedule in words; what a cron expression says in the language that is asked for. */
  String words(Schedule schedule, Locale language) {
    if (schedule instanceof Schedule.Cron cron) {
      return described(cron.expression(), language)
          + " ("
          + zoneOf(schedule)
          + ")"
          + bounds(", not before ", cron.start(), null, cron.end());
    }
    if (schedule instanceof Schedule.Repeat repeat) {
      return "every "
          + span(repeat.interval())
          + bounds(", first at ", repeat.start(), repeat.times(), repeat.end());
    }
    if (schedule instanceof Schedule.FixedDelay delay) {
      return span(delay.delay())
          + " after the run before has ended"
          + bounds(", first at ", delay.start(), delay.times(), delay.end());
    }
    Schedule.Once once = (Schedule.Once) schedule;
    return "once"
        + (once.at() == null ? "" : ", at " + once.at())
        + (once.after() == null ? "" : ", " + span(once.after()) + " after it is accepted");
  }

  private static String described(String expression, Locale language) {
    try {
      return CronExpression.parse(expression).describe(language);
    } catch (InvalidScheduleException e) {
      return expression;
    }
  }

  private static String bounds(
      String beginning, @Nullable Instant start, @Nullable Long times, @Nullable Instant end) {
    return (start == null ? "" : beginning + start)
        + (times == null ? "" : ", " + times + (times == 1 ? " time" : " times") + " in all")
        + (end == null ? "" : ", until " + end);
  }

  /** Such as {@code 1h30m}. */
  private static String span(Duration duration) {
    return duration.toString().substring("PT".length()).toLowerCase(Locale.ROOT);
  }
}
