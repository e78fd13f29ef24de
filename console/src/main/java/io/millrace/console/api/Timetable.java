package io.millrace.console.api;

import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.cron.CronExpression;
import io.millrace.jobtracker.domain.cron.InvalidScheduleException;
import io.millrace.jobtracker.domain.cron.LocalFire;
import io.millrace.jobtracker.domain.schedule.FireTimes;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Computes when schedules fire, and describes schedules in words. Immutable and thread-safe. */
public record Timetable(ZoneId defaultZone) {

  /** The time zone of a schedule. */
  public ZoneId zoneOf(Schedule schedule) {
    return schedule instanceof Schedule.Cron cron
        ? Objects.requireNonNullElse(cron.zone(), defaultZone)
        : defaultZone;
  }

  /**
   * The first fire time at or after now; null if there is none, or if it is known only after the
   * previous run ends.
   *
   * @param acceptedAt when the schedule was accepted
   */
  public @Nullable Instant first(Schedule schedule, Instant acceptedAt, Instant now) {
    try {
      FireTimes times = FireTimes.of(schedule, acceptedAt, defaultZone);
      return times.isForeseeable() ? times.first(now).orElse(null) : null;
    } catch (InvalidScheduleException e) {
      return null;
    }
  }

  /**
   * The next fire times at or after now, at most count, with notes in the language. Fewer if no
   * more can be predicted.
   */
  public List<Fire> next(
      Schedule schedule, Instant acceptedAt, Instant now, int count, Locale language) {
    FireTimes times = FireTimes.of(schedule, acceptedAt, defaultZone);
    ZoneId zone = zoneOf(schedule);
    CronExpression cron =
        schedule instanceof Schedule.Cron of ? CronExpression.parse(of.expression()) : null;
    List<Fire> fires = new ArrayList<>();
    Optional<Instant> next = times.first(now);
    while (next.isPresent() && fires.size() < count) {
      Instant at = next.get();
      fires.add(cron == null ? Fire.of(at, zone) : Fire.of(LocalFire.of(cron, zone, at, language)));
      next = times.nextAfter(at);
    }
    return fires;
  }

  /**
   * The fire times in (after, until], ascending, at most limit; none for a schedule that knows only
   * one fire time at a time.
   */
  public List<Instant> between(
      Schedule schedule, Instant acceptedAt, Instant after, Instant until, int limit) {
    List<Instant> fires = new ArrayList<>();
    try {
      FireTimes times = FireTimes.of(schedule, acceptedAt, defaultZone);
      Optional<Instant> next = times.isForeseeable() ? times.nextAfter(after) : Optional.empty();
      while (next.isPresent() && !next.get().isAfter(until) && fires.size() < limit) {
        fires.add(next.get());
        next = times.nextAfter(next.get());
      }
    } catch (InvalidScheduleException e) {
      return List.of();
    }
    return fires;
  }

  /** Describes a schedule in words, in a language of {@link Languages}. */
  public String words(Schedule schedule, Locale language) {
    return ScheduleWords.of(language).of(schedule, zoneOf(schedule));
  }
}
