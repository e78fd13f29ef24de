package io.millrace.jobtracker.domain.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** The fire times of a cron expression in a zone. */
record CronFireTimes(CronExpression expression, ZoneId zone) implements FireTimes {

  @Override
  public Optional<Instant> first(Instant now) {
    return nextAfter(now.minusMillis(1));
  }

  @Override
  public Optional<Instant> nextAfter(Instant after) {
    return expression.nextAfter(after, zone);
  }

  @Override
  public Optional<Instant> nextAfterEnd(Instant finishedAt, long firedCount) {
    return nextAfter(finishedAt);
  }
}
