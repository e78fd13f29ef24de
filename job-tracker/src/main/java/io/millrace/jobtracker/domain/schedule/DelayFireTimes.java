package io.millrace.jobtracker.domain.schedule;

import io.millrace.api.Schedule;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Fire times a fixed delay after the end of the previous run.
 *
 * @param start epoch milliseconds
 * @param delay milliseconds, at least 1
 * @param times how many triggers there are in all; {@link Long#MAX_VALUE} means no bound
 */
record DelayFireTimes(long start, long delay, long times) implements FireTimes {

  static DelayFireTimes of(Schedule.FixedDelay schedule, Instant acceptedAt) {
    return new DelayFireTimes(
        EpochMillis.of(Objects.requireNonNullElse(schedule.start(), acceptedAt)),
        EpochMillis.of(schedule.delay()),
        Objects.requireNonNullElse(schedule.times(), Long.MAX_VALUE));
  }

  @Override
  public boolean isForeseeable() {
    return false;
  }

  @Override
  public Optional<Instant> first(Instant now) {
    return Optional.of(EpochMillis.toInstant(Math.max(start, EpochMillis.of(now))));
  }

  @Override
  public Optional<Instant> nextAfter(Instant after) {
    return start > EpochMillis.of(after)
        ? Optional.of(EpochMillis.toInstant(start))
        : Optional.empty();
  }

  @Override
  public Optional<Instant> nextAfterEnd(Instant finishedAt, long firedCount) {
    long next = Math.max(start, EpochMillis.of(finishedAt) + delay);
    return firedCount < times && next <= EpochMillis.LAST
        ? Optional.of(EpochMillis.toInstant(next))
        : Optional.empty();
  }
}
