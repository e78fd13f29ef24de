package io.millrace.jobtracker.domain.schedule;

import io.millrace.api.Schedule;
import java.time.Instant;
import java.util.Optional;

/**
 * The one fire time of a one-shot.
 *
 * @param at epoch milliseconds
 */
record SingleFireTime(long at) implements FireTimes {

  static SingleFireTime of(Schedule.Once once, Instant acceptedAt) {
    if (once.at() != null) {
      return new SingleFireTime(EpochMillis.of(once.at()));
    }
    long delay = once.after() == null ? 0 : EpochMillis.of(once.after());
    return new SingleFireTime(Math.min(EpochMillis.of(acceptedAt) + delay, EpochMillis.LAST));
  }

  @Override
  public Optional<Instant> first(Instant now) {
    return Optional.of(EpochMillis.toInstant(at));
  }

  @Override
  public Optional<Instant> nextAfter(Instant after) {
    return at > EpochMillis.of(after) ? Optional.of(EpochMillis.toInstant(at)) : Optional.empty();
  }

  @Override
  public Optional<Instant> nextAfterEnd(Instant finishedAt, long firedCount) {
    return Optional.empty();
  }
}
