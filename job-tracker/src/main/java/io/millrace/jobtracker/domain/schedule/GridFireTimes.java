package io.millrace.jobtracker.domain.schedule;

import io.millrace.api.Schedule;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Fire times on a grid, {@code start + k * interval} for k from 0, below the number of times.
 * Exact: each one is computed from the start, so there is no drift.
 *
 * @param start epoch milliseconds
 * @param interval milliseconds, at least 1
 * @param times how many points the grid has; {@link Long#MAX_VALUE} means no bound
 */
record GridFireTimes(long start, long interval, long times) implements FireTimes {

  GridFireTimes {
    if (interval < 1) {
      throw new IllegalArgumentException("interval of " + interval + " ms; it must be at least 1");
    }
  }

  static GridFireTimes of(Schedule.Repeat repeat, Instant acceptedAt) {
    return new GridFireTimes(
        EpochMillis.of(Objects.requireNonNullElse(repeat.start(), acceptedAt)),
        EpochMillis.of(repeat.interval()),
        Objects.requireNonNullElse(repeat.times(), Long.MAX_VALUE));
  }

  @Override
  public Optional<Instant> first(Instant now) {
    return pointAfter(EpochMillis.of(now) - 1, times);
  }

  @Override
  public Optional<Instant> nextAfter(Instant after) {
    return pointAfter(EpochMillis.of(after), times);
  }

  @Override
  public Optional<Instant> nextAfterEnd(Instant finishedAt, long firedCount) {
    return firedCount < times
        ? pointAfter(EpochMillis.of(finishedAt), Long.MAX_VALUE)
        : Optional.empty();
  }

  @Override
  public FireRun runBetween(Instant after, Instant before, int limit, int keep) {
    long first = indexAfter(EpochMillis.of(after));
    long end = Math.min(indexAfter(EpochMillis.ofCeiling(before) - 1), times);
    if (first >= end) {
      return FireRun.EMPTY;
    }
    long firstKept = Math.max(first, end - keep);
    return new FireRun(
        end - first,
        point(first),
        firstKept == first ? null : point(firstKept - 1),
        LongStream.range(firstKept, end).mapToObj(this::point).toList(),
        true);
  }

  private Optional<Instant> pointAfter(long millis, long bound) {
    long index = indexAfter(millis);
    if (index >= bound || index > (EpochMillis.LAST - start) / interval) {
      return Optional.empty();
    }
    return Optional.of(point(index));
  }

  private Instant point(long index) {
    return EpochMillis.toInstant(start + index * interval);
  }

  /** The index of the first point after an instant. Both are within the years 1970 to 9999. */
  private long indexAfter(long millis) {
    return millis < start ? 0 : (millis - start) / interval + 1;
  }
}
