package io.millrace.jobtracker.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.cron.CronExpression;
import io.millrace.jobtracker.domain.schedule.ZoneChanges.Change;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/**
 * Holds fire times on the days around changes of the clock against a walk over the minutes: any
 * times of the day on any weekdays, around any change of any zone. What is the same at each of the
 * changes is held in {@link CronTransitionsTest}.
 */
class CronZoneTest {
  private static final List<Change> CHANGES = ZoneChanges.all();
  private static final Duration HALF_HOUR = Duration.ofMinutes(30);
  private static final Duration AROUND = Duration.ofHours(50);

  /** Hours and minutes of a day in cron syntax and as numbers. */
  record Times(String cron, Predicate<LocalTime> matches) {}

  @Property(tries = 600)
  void fixedTimesFireOncePerExistingLocalDay(
      @ForAll("changes") Change change,
      @ForAll("fixedTimes") Times times,
      @ForAll("weekdays") Set<DayOfWeek> weekdays) {
    assertThat(fires(change, times, weekdays))
        .isEqualTo(walk(change).whenReached(named(times, weekdays)));
  }

  @Property(tries = 600)
  void intervalLikeTimesFireAtEveryInstantWhoseLocalTimeMatches(
      @ForAll("changes") Change change,
      @ForAll("intervalTimes") Times times,
      @ForAll("weekdays") Set<DayOfWeek> weekdays) {
    assertThat(fires(change, times, weekdays))
        .isEqualTo(walk(change).whenShown(named(times, weekdays)));
  }

  @Property(tries = 500)
  void nextDoesNotDependOnWhereTheSearchBegins(
      @ForAll("changes") Change change,
      @ForAll("anyTimes") Times times,
      @ForAll @LongRange(min = -180_000, max = 180_000) long seconds) {
    CronExpression expression = CronExpression.parse("0 " + times.cron() + " * * ?");
    Instant after = change.at().plusSeconds(seconds);
    Instant next = expression.nextAfter(after, change.zone()).orElseThrow();

    assertThat(next).isAfter(after);
    assertThat(expression.nextAfter(next.minusSeconds(1), change.zone())).contains(next);
    Duration half = Duration.between(after, next).dividedBy(2);
    assertThat(expression.nextAfter(after.plus(half), change.zone())).contains(next);
  }

  @Test
  void everyHalfHourIsEvenlySpacedThroughEveryChange() {
    CronExpression expression = CronExpression.parse("0 0/30 * * * ?");
    for (Change change : CHANGES) {
      if (shiftsByWholeHalfHours(change)) {
        Instant fire = change.at().minus(HALF_HOUR.multipliedBy(5));
        for (int i = 0; i < 10; i++) {
          Instant next = expression.nextAfter(fire, change.zone()).orElseThrow();
          if (i > 0 && !next.equals(fire.plus(HALF_HOUR))) {
            assertThat(next).as("%s", change).isEqualTo(fire.plus(HALF_HOUR));
          }
          fire = next;
        }
      }
    }
  }

  @Test
  void dailyJobFiresOnEveryDayOfEveryZoneOnce() {
    CronExpression daily = CronExpression.parse("0 30 2 * * ?");
    for (ZoneId zone : ZoneChanges.zones()) {
      Instant fire = ZoneChanges.BEGIN;
      LocalDate day = LocalDate.ofInstant(fire, zone).minusDays(1);
      if (LocalTime.ofInstant(fire, zone).isAfter(LocalTime.of(2, 29))) {
        day = day.plusDays(1);
      }
      while (fire.isBefore(ZoneChanges.END)) {
        fire = daily.nextAfter(fire, zone).orElseThrow();
        day = nextExistingDay(day, zone);
        if (!LocalDate.ofInstant(fire, zone).equals(day)) {
          assertThat(LocalDate.ofInstant(fire, zone)).as("%s %s", zone, fire).isEqualTo(day);
        }
      }
    }
  }

  private static LocalDate nextExistingDay(LocalDate day, ZoneId zone) {
    LocalDate next = day.plusDays(1);
    return next.atStartOfDay(zone).toLocalDate().equals(next) ? next : next.plusDays(1);
  }

  private static boolean shiftsByWholeHalfHours(Change change) {
    return change.transition().getDuration().getSeconds() % 1800 == 0;
  }

  private static List<Instant> fires(Change change, Times times, Set<DayOfWeek> weekdays) {
    StringBuilder days = new StringBuilder();
    weekdays.forEach(day -> days.append(days.isEmpty() ? "" : ",").append(day.name(), 0, 3));
    CronExpression expression = CronExpression.parse("0 " + times.cron() + " ? * " + days);
    Instant end = change.at().plus(AROUND);
    List<Instant> fires = new ArrayList<>();
    Optional<Instant> next = expression.nextAfter(change.at().minus(AROUND), change.zone());
    while (next.isPresent() && !next.get().isAfter(end)) {
      fires.add(next.get());
      next = expression.nextAfter(next.get(), change.zone());
    }
    return fires;
  }

  private static ClockWalk walk(Change change) {
    return new ClockWalk(change.zone(), change.at().minus(AROUND), change.at().plus(AROUND));
  }

  private static Predicate<LocalDateTime> named(Times times, Set<DayOfWeek> weekdays) {
    return time ->
        weekdays.contains(time.getDayOfWeek()) && times.matches().test(time.toLocalTime());
  }

  @Provide("changes")
  Arbitrary<Change> anyChange() {
    return Arbitraries.of(CHANGES);
  }

  @Provide
  Arbitrary<Times> fixedTimes() {
    return times(hours().set().ofMinSize(1).ofMaxSize(4).map(CronZoneTest::list));
  }

  @Provide
  Arbitrary<Times> intervalTimes() {
    return times(intervalHours());
  }

  @Provide
  Arbitrary<Times> anyTimes() {
    return Arbitraries.oneOf(fixedTimes(), intervalTimes());
  }

  @Provide
  Arbitrary<Set<DayOfWeek>> weekdays() {
    return Arbitraries.of(DayOfWeek.class).set().ofMinSize(1);
  }

  private record Numbers(String cron, Set<Integer> values) {}

  private static Arbitrary<Times> times(Arbitrary<Numbers> hours) {
    Arbitrary<Numbers> minutes =
        Arbitraries.oneOf(
            Arbitraries.integers()
                .between(0, 59)
                .set()
                .ofMinSize(1)
                .ofMaxSize(3)
                .map(CronZoneTest::list),
            Arbitraries.of(1, 5, 7, 15, 20, 30).map(step -> step(0, 59, step)));
    return Combinators.combine(minutes, hours)
        .as(
            (minute, hour) ->
                new Times(
                    minute.cron() + " " + hour.cron(),
                    time ->
                        minute.values().contains(time.getMinute())
                            && hour.values().contains(time.getHour())));
  }

  private static Arbitrary<Integer> hours() {
    return Arbitraries.frequencyOf(
        Tuple.of(3, Arbitraries.integers().between(0, 3)),
        Tuple.of(1, Arbitraries.integers().between(0, 23)));
  }

  private static Arbitrary<Numbers> intervalHours() {
    return Arbitraries.oneOf(
        Arbitraries.of(1, 2, 3, 5).map(step -> step(0, 23, step)),
        Combinators.combine(hours(), Arbitraries.integers().between(0, 23))
            .as((from, to) -> step(Math.min(from, to), Math.max(from, to), 1)));
  }

  private static Numbers list(Set<Integer> values) {
    return new Numbers(
        String.join(",", values.stream().map(String::valueOf).toList()), Set.copyOf(values));
  }

  private static Numbers step(int from, int to, int step) {
    Set<Integer> values = new HashSet<>();
    IntStream.rangeClosed(from, to).filter(n -> (n - from) % step == 0).forEach(values::add);
    return new Numbers(from + "-" + to + "/" + step, values);
  }
}
