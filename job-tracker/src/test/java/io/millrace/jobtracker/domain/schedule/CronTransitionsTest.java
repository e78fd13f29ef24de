package io.millrace.jobtracker.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.cron.CronExpression;
import io.millrace.jobtracker.domain.schedule.ZoneChanges.Change;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holds the fire times around every change of the clock of every zone, 2000 to 2040, against a walk
 * over the minutes. For each pair of neighbouring fire times it asks from three instants between
 * them, so that nothing is skipped and the answer is the same wherever the search begins.
 */
class CronTransitionsTest {
  private static final Duration AROUND = Duration.ofHours(5);
  private static final Set<Integer> EVERY_HOUR = steps(0, 23, 1);

  private final Map<String, CronExpression> expressions = new HashMap<>();

  /** A schedule as a cron text, and which local times it names. */
  private record Times(String cron, Predicate<LocalDateTime> names) {}

  /** Most rules of today are in force all over these years. */
  private static List<Change> changesOfTheseYears() {
    return ZoneChanges.between(
        Instant.parse("2020-01-01T00:00:00Z"), Instant.parse("2027-01-01T00:00:00Z"));
  }

  @Test
  void fixedTimesFireOncePerExistingLocalDayAtChangesOfTheseYears() {
    changesOfTheseYears().forEach(change -> assertFires(change, fixedTimes(change), List.of()));
  }

  @Test
  void intervalLikeTimesFireWheneverTheyAreShownAtChangesOfTheseYears() {
    changesOfTheseYears().forEach(change -> assertFires(change, List.of(), intervalTimes(change)));
  }

  @Test
  @Tag("long")
  void fixedTimesFireOncePerExistingLocalDayAtEveryChangeOfEveryZone() {
    ZoneChanges.all().forEach(change -> assertFires(change, fixedTimes(change), List.of()));
  }

  @Test
  @Tag("long")
  void intervalLikeTimesFireWheneverTheyAreShownAtEveryChangeOfEveryZone() {
    ZoneChanges.all().forEach(change -> assertFires(change, List.of(), intervalTimes(change)));
  }

  /** The zones that have been most often wrong elsewhere. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Australia/Lord_Howe",
        "Europe/Dublin",
        "Pacific/Apia",
        "America/Sao_Paulo",
        "Africa/Cairo",
        "America/New_York"
      })
  void zonesOfNoteAreRightFrom1970To2110(String zone) {
    Instant begin = Instant.parse("1970-01-02T00:00:00Z");
    Instant end = Instant.parse("2111-01-01T00:00:00Z");
    for (Change change : ZoneChanges.of(ZoneId.of(zone), begin, end)) {
      assertFires(change, fixedTimes(change), intervalTimes(change));
    }
  }

  private void assertFires(Change change, List<Times> fixed, List<Times> intervals) {
    Instant begin = change.at().minus(AROUND);
    Instant end = change.at().plus(AROUND);
    ClockWalk walk = new ClockWalk(change.zone(), begin, end);
    for (Times times : fixed) {
      assertFires(times.cron(), change.zone(), begin, end, walk.whenReached(times.names()));
    }
    for (Times times : intervals) {
      assertFires(times.cron(), change.zone(), begin, end, walk.whenShown(times.names()));
    }
  }

  private void assertFires(
      String cron, ZoneId zone, Instant begin, Instant end, List<Instant> expected) {
    CronExpression expression = expressions.computeIfAbsent(cron, CronExpression::parse);
    Instant last = begin;
    for (Instant fire : expected) {
      Duration between = Duration.between(last, fire);
      assertNext(expression, zone, last, fire);
      assertNext(expression, zone, last.plus(between.dividedBy(2)), fire);
      assertNext(expression, zone, fire.minusSeconds(1), fire);
      last = fire;
    }
    Optional<Instant> beyond = expression.nextAfter(last, zone);
    if (beyond.isPresent() && !beyond.get().isAfter(end)) {
      throw new AssertionError(cron + " in " + zone + ": also fires at " + beyond.get());
    }
  }

  /** By hand, because assertThat ten million times takes longer than the engine. */
  private static void assertNext(
      CronExpression expression, ZoneId zone, Instant after, Instant fire) {
    Optional<Instant> next = expression.nextAfter(after, zone);
    if (next.isEmpty() || !next.get().equals(fire)) {
      assertThat(next).as("%s in %s after %s", expression, zone, after).contains(fire);
    }
  }

  /** Each is of plain numbers in the hour. The hours are those that the change touches. */
  private static List<Times> fixedTimes(Change change) {
    int before = change.transition().getDateTimeBefore().getHour();
    int after = change.transition().getDateTimeAfter().getHour();
    Set<Integer> touched = hours(before, after);
    Set<Integer> near = hours(before - 1, before, after, after + 1);
    return List.of(
        times("0/10", steps(0, 59, 10), list(EVERY_HOUR), EVERY_HOUR, null),
        times("30", Set.of(30), list(touched), touched, null),
        times("0,15,59", Set.of(0, 15, 59), list(near), near, dayOf(change)),
        times("0", Set.of(0), "0", Set.of(0), null));
  }

  /** Each has a wildcard, step or range in the hour. */
  private static List<Times> intervalTimes(Change change) {
    int before = change.transition().getDateTimeBefore().getHour();
    Set<Integer> touched = hours(before);
    return List.of(
        times("0/30", Set.of(0, 30), "*", EVERY_HOUR, null),
        times("7/13", steps(7, 59, 13), "0-23", EVERY_HOUR, dayOf(change)),
        times("0,59", Set.of(0, 59), "*/2", steps(0, 23, 2), null),
        times("30", Set.of(30), before + "-" + before, touched, null));
  }

  private static DayOfWeek dayOf(Change change) {
    return change.transition().getDateTimeBefore().getDayOfWeek();
  }

  private static Times times(
      String minute, Set<Integer> minutes, String hour, Set<Integer> hours, DayOfWeek weekday) {
    String days = weekday == null ? "* * ?" : "? * " + weekday.name().substring(0, 3);
    return new Times(
        "0 " + minute + " " + hour + " " + days,
        time ->
            minutes.contains(time.getMinute())
                && hours.contains(time.getHour())
                && (weekday == null || time.getDayOfWeek() == weekday));
  }

  private static Set<Integer> steps(int from, int to, int step) {
    return IntStream.iterate(from, n -> n <= to, n -> n + step)
        .boxed()
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The hour before the first of a day is the last of a day. */
  private static Set<Integer> hours(int... numbers) {
    return IntStream.of(numbers)
        .mapToObj(hour -> Math.floorMod(hour, 24))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static String list(Set<Integer> numbers) {
    return new TreeSet<>(numbers).stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
