package io.millrace.jobtracker.domain.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A walk from one instant to another, minute by minute, that looks at the clock of a zone and asks
 * for nothing else. It says what must fire when the engine is not asked.
 */
final class ClockWalk {
  private static final Duration A_DAY_AND_AN_HOUR = Duration.ofHours(25);

  private final Instant begin;
  private final List<LocalDateTime> shown = new ArrayList<>();
  private final Set<LocalDate> days = new HashSet<>();
  private final LocalDateTime furthestAtBegin;

  /** A walk over the minutes after the begin, up to the end. */
  ClockWalk(ZoneId zone, Instant begin, Instant end) {
    this.begin = begin;
    this.furthestAtBegin = furthest(zone, begin);
    LocalDate day = LocalDate.MIN;
    for (Instant t = begin; !t.isAfter(end); t = t.plusSeconds(60)) {
      LocalDateTime time = LocalDateTime.ofInstant(t, zone);
      shown.add(time);
      if (!time.toLocalDate().equals(day)) {
        day = time.toLocalDate();
        days.add(day);
      }
    }
  }

  /** The latest that the clock has shown by then. */
  private static LocalDateTime furthest(ZoneId zone, Instant instant) {
    LocalDateTime furthest = LocalDateTime.ofInstant(instant, zone);
    LocalDateTime aDayBefore = LocalDateTime.ofInstant(instant.minus(A_DAY_AND_AN_HOUR), zone);
    if (Duration.between(aDayBefore, furthest).equals(A_DAY_AND_AN_HOUR)) {
      return furthest;
    }
    for (long minutes = 1; minutes < A_DAY_AND_AN_HOUR.toMinutes(); minutes++) {
      LocalDateTime time = LocalDateTime.ofInstant(instant.minusSeconds(60 * minutes), zone);
      furthest = time.isAfter(furthest) ? time : furthest;
    }
    return furthest;
  }

  /** Every instant at which the clock shows one of the times. */
  List<Instant> whenShown(Predicate<LocalDateTime> times) {
    List<Instant> instants = new ArrayList<>();
    for (int minute = 1; minute < shown.size(); minute++) {
      if (times.test(shown.get(minute))) {
        instants.add(begin.plusSeconds(60L * minute));
      }
    }
    return instants;
  }

  /**
   * Every instant at which the clock for the first time shows one of the times or a later one; only
   * of days that it shows at all.
   */
  List<Instant> whenReached(Predicate<LocalDateTime> times) {
    List<Instant> instants = new ArrayList<>();
    LocalDateTime furthest = furthestAtBegin;
    for (int minute = 1; minute < shown.size(); minute++) {
      boolean reached = false;
      while (furthest.isBefore(shown.get(minute))) {
        furthest = furthest.plusMinutes(1);
        reached |= days.contains(furthest.toLocalDate()) && times.test(furthest);
      }
      if (reached) {
        instants.add(begin.plusSeconds(60L * minute));
      }
    }
    return instants;
  }
}
