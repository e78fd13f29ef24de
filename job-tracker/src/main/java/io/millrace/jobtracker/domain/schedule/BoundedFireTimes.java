package io.millrace.jobtracker.domain.schedule;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fire times of a schedule that lie between two bounds.
 *
 * @param times the fire times of the schedule without bounds
 * @param startsAfter the last instant before the start; {@link Instant#MIN} means no bound
 * @param end the first instant that is too late; {@link Instant#MAX} means no bound
 */
record BoundedFireTimes(FireTimes times, Instant startsAfter, Instant end) implements FireTimes {

  /** Bounds fire times by a start; a grid and a fixed delay apply their start themselves. */
  static FireTimes from(@Nullable Instant start, FireTimes times) {
    return start == null
        ? times
        : new BoundedFireTimes(times, cut(start).minusMillis(1), Instant.MAX);
  }

  /** Bounds fire times by an end, which is not itself a fire time. */
  static FireTimes until(@Nullable Instant end, FireTimes times) {
    return end == null ? times : new BoundedFireTimes(times, Instant.MIN, cut(end));
  }

  private static Instant cut(Instant bound) {
    return EpochMillis.toInstant(EpochMillis.of(bound));
  }

  @Override
  public boolean isForeseeable() {
    return times.isForeseeable();
  }

  @Override
  public Optional<Instant> first(Instant now) {
    return inside(now.isAfter(startsAfter) ? times.first(now) : times.nextAfter(startsAfter));
  }

  @Override
  public Optional<Instant> nextAfter(Instant after) {
    return inside(times.nextAfter(atLeastStart(after)));
  }

  @Override
  public Optional<Instant> nextAfterEnd(Instant finishedAt, long firedCount) {
    return inside(times.nextAfterEnd(atLeastStart(finishedAt), firedCount));
  }

  @Override
  public FireRun runBetween(Instant after, Instant before, int limit, int keep) {
    Instant earlier = before.isBefore(end) ? before : end;
    return times.runBetween(atLeastStart(after), earlier, limit, keep);
  }

  private Instant atLeastStart(Instant after) {
    return after.isBefore(startsAfter) ? startsAfter : after;
  }

  private Optional<Instant> inside(Optional<Instant> next) {
    return next.filter(end::isAfter);
  }
}
