package io.millrace.jobtracker.domain.cron;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Converts the local times that a cron expression names into instants of a zone, also where the
 * clocks of the zone change, as for daylight saving time: then a local time does not exist or
 * exists twice. The comment of {@link CronExpression} states the rules. Immutable and thread-safe.
 *
 * @param fixedTime whether the expression is fixed-time; otherwise it is interval-like
 */
record LocalTimeToInstant(LocalPattern pattern, boolean fixedTime) {
  private static final long NONE = LocalPattern.NONE;

  /**
   * Instants are clamped to a range that exceeds the years that fire; the results stay the same.
   */
  private static final long EARLIEST = -2 * LocalPattern.SECONDS_PER_DAY;

  private static final long LATEST =
      Instant.parse("9999-12-31T00:00:00Z").getEpochSecond() - EARLIEST;

  /** The first instant after this one, in whole seconds; empty if there is none. */
  Optional<Instant> nextAfter(Instant after, ZoneRules rules) {
    long second = Math.max(EARLIEST, Math.min(after.getEpochSecond(), LATEST));
    boolean clockChanges = !rules.isFixedOffset();
    long next = fixedTime && clockChanges ? nextFixedTime(second, rules) : nextMatch(second, rules);
    return next == NONE ? Optional.empty() : Optional.of(Instant.ofEpochSecond(next));
  }

  /**
   * A local time fires when local time first reaches it. So the times at or before the furthest
   * local time reached so far are over. That is the current local time, except on the second pass
   * of an overlap.
   */
  private long nextFixedTime(long after, ZoneRules rules) {
    long local = furthestLocalTime(after, rules);
    while (true) {
      local = pattern.nextAfter(local);
      if (local == NONE) {
        return NONE;
      }
      LocalDateTime time = LocalDateTime.ofEpochSecond(local, 0, ZoneOffset.UTC);
      List<ZoneOffset> offsets = rules.getValidOffsets(time);
      if (!offsets.isEmpty()) {
        return local - offsets.get(0).getTotalSeconds();
      }
      ZoneOffsetTransition gap = rules.getTransition(time);
      if (!isDayThatNeverWas(time.toLocalDate(), gap)) {
        return gap.toEpochSecond();
      }
      local = endOfDay(time.toLocalDate());
    }
  }

  private static boolean isDayThatNeverWas(LocalDate day, ZoneOffsetTransition gap) {
    return !gap.getDateTimeBefore().isAfter(day.atStartOfDay())
        && !gap.getDateTimeAfter().isBefore(day.plusDays(1).atStartOfDay());
  }

  private static long endOfDay(LocalDate day) {
    return day.plusDays(1).toEpochDay() * LocalPattern.SECONDS_PER_DAY - 1;
  }

  /**
   * The local times of a gap that fire at the first instant after it; none for an interval-like
   * expression.
   */
  List<LocalDateTime> timesMovedOutOf(ZoneOffsetTransition gap) {
    List<LocalDateTime> moved = new ArrayList<>();
    long end = gap.getDateTimeAfter().toEpochSecond(ZoneOffset.UTC);
    long local = gap.getDateTimeBefore().toEpochSecond(ZoneOffset.UTC) - 1;
    while (fixedTime) {
      local = pattern.nextAfter(local);
      if (local == NONE || local >= end) {
        return moved;
      }
      LocalDateTime time = LocalDateTime.ofEpochSecond(local, 0, ZoneOffset.UTC);
      if (isDayThatNeverWas(time.toLocalDate(), gap)) {
        local = endOfDay(time.toLocalDate());
      } else {
        moved.add(time);
      }
    }
    return moved;
  }

  private static long furthestLocalTime(long instant, ZoneRules rules) {
    long local = instant + offsetAt(instant, rules);
    LocalDateTime time = LocalDateTime.ofEpochSecond(local, 0, ZoneOffset.UTC);
    ZoneOffsetTransition change = rules.getTransition(time);
    if (change != null && change.isOverlap() && instant >= change.toEpochSecond()) {
      return change.getDateTimeBefore().toEpochSecond(ZoneOffset.UTC) - 1;
    }
    return local;
  }

  /**
   * Steps from one change of the zone's offset to the next; between them the offset is constant.
   */
  private long nextMatch(long after, ZoneRules rules) {
    long from = after;
    int offset = offsetAt(after, rules);
    ZoneOffsetTransition change = rules.nextTransition(Instant.ofEpochSecond(after));
    while (true) {
      long local = pattern.nextAfter(from + offset);
      if (change == null) {
        return local == NONE ? NONE : local - offset;
      }
      if (local != NONE && local - offset < change.toEpochSecond()) {
        return local - offset;
      }
      if (local == NONE && !change.isOverlap()) {
        return NONE;
      }
      from = change.toEpochSecond() - 1;
      offset = change.getOffsetAfter().getTotalSeconds();
      change = rules.nextTransition(change.getInstant());
    }
  }

  private static int offsetAt(long instant, ZoneRules rules) {
    return rules.getOffset(Instant.ofEpochSecond(instant)).getTotalSeconds();
  }
}
