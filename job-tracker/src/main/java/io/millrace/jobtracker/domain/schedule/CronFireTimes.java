package io.millrace.jobtracker.domain.schedule;

import io.millrace.jobtracker.domain.cron.CronExpression;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * The fire times of a cron expression in a zone.
 *
 * @param window the fire times that are computed already
 */
record CronFireTimes(CronExpression expression, ZoneId zone, CronWindow window)
    implements FireTimes {

  /** Reads an expression; computes no fire times yet. */
  static CronFireTimes of(String text, ZoneId zone) {
    return new CronFireTimes(CronExpression.parse(text), zone, CronWindow.EMPTY);
  }

  @Override
  public Optional<Instant> first(Instant now) {
    return nextAfter(now.minusMillis(1));
  }

  /** An expression fires at whole seconds. */
  @Override
  public Optional<Instant> nextAfter(Instant after) {
    long second = after.getEpochSecond();
    return window.covers(second) ? window.nextAfter(second) : expression.nextAfter(after, zone);
  }

  @Override
  public Optional<Instant> nextAfterEnd(Instant finishedAt, long firedCount) {
    return nextAfter(finishedAt);
  }
}
