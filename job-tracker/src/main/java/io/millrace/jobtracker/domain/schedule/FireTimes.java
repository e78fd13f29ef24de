package io.millrace.jobtracker.domain.schedule;

import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.cron.InvalidScheduleException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * A schedule with everything resolved: the zone, the start, the grid. Immutable and thread-safe. If
 * it is built again from the schedule and the time of acceptance in the job's row, it gives the
 * same answers. Instants are cut to milliseconds.
 */
public sealed interface FireTimes
    permits CronFireTimes, GridFireTimes, DelayFireTimes, SingleFireTime, BoundedFireTimes {

  /** The factor by which {@link #lastIn} looks back further with each step. */
  long LOOK_BACK_GROWTH = 8;

  /**
   * Resolves a valid schedule (see {@link ScheduleValidator}).
   *
   * @param schedule when the job fires
   * @param acceptedAt when the tracker accepted this version of the job
   * @param defaultZone the zone of a cron expression that names none
   * @throws InvalidScheduleException if a cron text is malformed
   */
  static FireTimes of(Schedule schedule, Instant acceptedAt, ZoneId defaultZone) {
    return of(schedule, acceptedAt, defaultZone, CronFireTimes::of);
  }

  /**
   * The same, with a supplier of the fire times of cron expressions.
   *
   * @param crons returns the fire times of a cron text in a zone, without bounds
   */
  static FireTimes of(
      Schedule schedule,
      Instant acceptedAt,
      ZoneId defaultZone,
      BiFunction<String, ZoneId, ? extends FireTimes> crons) {
    if (schedule instanceof Schedule.Cron cron) {
      ZoneId zone = Objects.requireNonNullElse(cron.zone(), defaultZone);
      FireTimes times = crons.apply(cron.expression(), zone);
      return BoundedFireTimes.until(cron.end(), BoundedFireTimes.from(cron.start(), times));
    }
    if (schedule instanceof Schedule.Repeat repeat) {
      return BoundedFireTimes.until(repeat.end(), GridFireTimes.of(repeat, acceptedAt));
    }
    if (schedule instanceof Schedule.FixedDelay delay) {
      return BoundedFireTimes.until(delay.end(), DelayFireTimes.of(delay, acceptedAt));
    }
    return SingleFireTime.of((Schedule.Once) schedule, acceptedAt);
  }

  /**
   * Whether fire times are known beforehand, and so may be written ahead. Those of a fixed delay
   * are not.
   */
  default boolean isForeseeable() {
    return true;
  }

  /**
   * The first fire time at or after now; empty if there is none. A one-shot returns its instant
   * even if it is past, because it still fires; a fixed delay returns now if its start is past.
   */
  Optional<Instant> first(Instant now);

  /**
   * The first fire time strictly after this instant; empty if there is none. For a fixed delay only
   * the start is known beforehand.
   */
  Optional<Instant> nextAfter(Instant after);

  /**
   * The last fire time after one instant and up to another; empty if there is none. Looks back from
   * the end in growing steps, so that it costs little however many there are.
   */
  default Optional<Instant> lastIn(Instant after, Instant until) {
    Optional<Instant> next = nextAfter(after).filter(at -> !at.isAfter(until));
    if (next.isEmpty()) {
      return next;
    }
    Optional<Instant> last = Optional.empty();
    for (long back = 1; last.isEmpty(); back *= LOOK_BACK_GROWTH) {
      Instant from = until.minusMillis(back);
      last = from.isAfter(after) ? nextAfter(from).filter(at -> !at.isAfter(until)) : next;
    }
    next = last;
    while (next.isPresent()) {
      last = next;
      next = nextAfter(next.get()).filter(at -> !at.isAfter(until));
    }
    return last;
  }

  /**
   * The fire times after one instant and up to another, in epoch milliseconds, rising; only the
   * first {@code limit}.
   */
  default List<Long> between(long after, long until, int limit) {
    List<Long> found = new ArrayList<>();
    Optional<Instant> next = nextAfter(Instant.ofEpochMilli(after));
    while (next.isPresent() && next.get().toEpochMilli() <= until && found.size() < limit) {
      found.add(next.get().toEpochMilli());
      next = nextAfter(next.get());
    }
    return found;
  }

  /**
   * The next fire time of a chained job, which has one live trigger at a time, written when the
   * previous one ends. Empty if there is none.
   *
   * <p>For a chained job a number of fire times bounds the triggers, and not the grid as it does
   * otherwise: instants that pass during a run do not count.
   *
   * @param finishedAt when the run ended; not before the instant it was planned for
   * @param firedCount how many triggers the job has had so far, the ended one included
   */
  Optional<Instant> nextAfterEnd(Instant finishedAt, long firedCount);

  /**
   * The fire times after one instant and before another: counted, and only the latest {@code keep}
   * listed. Counts {@code limit} of them at most; {@link FireRun#isComplete} returns whether that
   * was all.
   */
  default FireRun runBetween(Instant after, Instant before, int limit, int keep) {
    return FireRun.count(this, after, before, limit, keep);
  }
}
