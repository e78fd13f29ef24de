package io.millrace.jobtracker.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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
 * Holds fire times around every change of the clock in 2000–2040 against a walk over the instants,
 * minute by minute, that only asks the zone for the local time.
 */
class CronZoneTest {
  private static final Instant BEGIN = Instant.parse("2000-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("2041-01-01T00:00:00Z");
  private static final Duration HALF_HOUR = Duration.ofMinutes(30);
  private static final Duration AROUND = Duration.ofHours(50);

  private static final List<ZoneId> ZONES =
      List.of(
              "Africa/Cairo",
              "Africa/Casablanca",
              "Africa/El_Aaiun",
              "Africa/Johannesburg",
              "Africa/Juba",
              "Africa/Windhoek",
              "America/Adak",
              "America/Asuncion",
              "America/Caracas",
              "America/Chicago",
              "America/Havana",
              "America/Los_Angeles",
              "America/New_York",
              "America/Nuuk",
              "America/Santiago",
              "America/Sao_Paulo",
              "America/Scoresbysund",
              "America/St_Johns",
              "Antarctica/Casey",
              "Antarctica/Troll",
              "Asia/Amman",
              "Asia/Beirut",
              "Asia/Gaza",
              "Asia/Kathmandu",
              "Asia/Kolkata",
              "Asia/Pyongyang",
              "Asia/Shanghai",
              "Asia/Tehran",
              "Asia/Tokyo",
              "Atlantic/Azores",
              "Australia/Adelaide",
              "Australia/Lord_Howe",
              "Australia/Sydney",
              "Europe/Dublin",
              "Europe/Istanbul",
              "Europe/London",
              "Europe/Moscow",
              "Europe/Volgograd",
              "Pacific/Apia",
              "Pacific/Chatham",
              "Pacific/Easter",
              "Pacific/Fakaofo",
              "UTC")
          .stream()
          .map(ZoneId::of)
          .toList();

  /** A change of a zone's clock, and the zone. */
  record Change(ZoneId zone, Instant at) {}

  /** Hours and minutes of a day in cron syntax and as numbers. */
  record Times(String cron, Predicate<LocalTime> matches) {}

  @Property(tries = 1500)
  void fixedTimesFireOncePerExistingLocalDay(
      @ForAll("changes") Change change,
      @ForAll("fixedTimes") Times times,
      @ForAll("weekdays") Set<DayOfWeek> weekdays) {
    assertThat(fires(change, times, weekdays))
        .isEqualTo(new ArrayList<>(walkFixedTime(change, times, weekdays)));
  }

  @Property(tries = 1500)
  void intervalLikeTimesFireAtEveryInstantWhoseLocalTimeMatches(
      @ForAll("changes") Change change,
      @ForAll("intervalTimes") Times times,
      @ForAll("weekdays") Set<DayOfWeek> weekdays) {
    assertThat(fires(change, times, weekdays)).isEqualTo(walkMatches(change, times, weekdays));
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
    for (Change change : changes()) {
      if (shiftsByWholeHalfHours(change)) {
        Instant fire = change.at().minus(AROUND);
        for (int i = 0; i < 200; i++) {
          Instant next = expression.nextAfter(fire, change.zone()).orElseThrow();
          assertThat(Duration.between(fire, next)).as("%s", change).isLessThanOrEqualTo(HALF_HOUR);
          assertThat(i == 0 || next.equals(fire.plus(HALF_HOUR)))
              .as("%s %s", change, next)
              .isTrue();
          fire = next;
        }
      }
    }
  }

  @Test
  void dailyJobFiresOnEveryDayOfEveryZoneOnce() {
    CronExpression daily = CronExpression.parse("0 30 2 * * ?");
    Set<ZoneRules> seen = new HashSet<>();
    for (String id : ZoneId.getAvailableZoneIds()) {
      ZoneId zone = ZoneId.of(id);
      if (seen.add(zone.getRules())) {
        Instant fire = BEGIN;
        LocalDate day = LocalDate.ofInstant(BEGIN, zone).minusDays(1);
        if (LocalTime.ofInstant(BEGIN, zone).isAfter(LocalTime.of(2, 29))) {
          day = day.plusDays(1);
        }
        while (fire.isBefore(END)) {
          fire = daily.nextAfter(fire, zone).orElseThrow();
          LocalDate expected = nextExistingDay(day, zone);
          assertThat(LocalDate.ofInstant(fire, zone)).as("%s %s", id, fire).isEqualTo(expected);
          day = expected;
        }
      }
    }
  }

  private static LocalDate nextExistingDay(LocalDate day, ZoneId zone) {
    LocalDate next = day.plusDays(1);
    return next.atStartOfDay(zone).toLocalDate().equals(next) ? next : next.plusDays(1);
  }

  private static boolean shiftsByWholeHalfHours(Change change) {
    ZoneRules rules = change.zone().getRules();
    int before = rules.getOffset(change.at().minusSeconds(1)).getTotalSeconds();
    int after = rules.getOffset(change.at()).getTotalSeconds();
    return (after - before) % 1800 == 0;
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

  private static List<Instant> walkMatches(Change change, Times times, Set<DayOfWeek> weekdays) {
    List<Instant> fires = new ArrayList<>();
    Instant begin = change.at().minus(AROUND);
    for (Instant t = begin.plusSeconds(60); !t.isAfter(change.at().plus(AROUND)); ) {
      LocalDateTime local = LocalDateTime.ofInstant(t, change.zone());
      if (weekdays.contains(local.getDayOfWeek()) && times.matches().test(local.toLocalTime())) {
        fires.add(t);
      }
      t = t.plusSeconds(60);
    }
    return fires;
  }

  /** A local time fires in the minute in which the clock first shows it or a later one. */
  private static TreeSet<Instant> walkFixedTime(
      Change change, Times times, Set<DayOfWeek> weekdays) {
    Set<LocalDate> existing = new HashSet<>();
    Instant begin = change.at().minus(AROUND);
    Instant end = change.at().plus(AROUND);
    for (Instant t = begin.minusSeconds(86_400); t.isBefore(end.plusSeconds(86_400)); ) {
      existing.add(LocalDate.ofInstant(t, change.zone()));
      t = t.plusSeconds(600);
    }
    TreeSet<Instant> fires = new TreeSet<>();
    LocalDateTime furthest = furthestBefore(begin, change.zone());
    for (Instant t = begin.plusSeconds(60); !t.isAfter(end); t = t.plusSeconds(60)) {
      LocalDateTime shown = LocalDateTime.ofInstant(t, change.zone());
      while (furthest.isBefore(shown)) {
        furthest = furthest.plusMinutes(1);
        if (existing.contains(furthest.toLocalDate())
            && weekdays.contains(furthest.getDayOfWeek())
            && times.matches().test(furthest.toLocalTime())) {
          fires.add(t);
        }
      }
    }
    return fires;
  }

  private static LocalDateTime furthestBefore(Instant instant, ZoneId zone) {
    LocalDateTime furthest = LocalDateTime.ofInstant(instant, zone);
    for (int minutes = 0; minutes < 1500; minutes++) {
      LocalDateTime shown = LocalDateTime.ofInstant(instant.minusSeconds(60L * minutes), zone);
      furthest = shown.isAfter(furthest) ? shown : furthest;
    }
    return furthest;
  }

  private static List<Change> changes() {
    List<Change> changes = new ArrayList<>();
    for (ZoneId zone : ZONES) {
      ZoneOffsetTransition next = zone.getRules().nextTransition(BEGIN);
      while (next != null && next.getInstant().isBefore(END)) {
        changes.add(new Change(zone, next.getInstant()));
        next = zone.getRules().nextTransition(next.getInstant());
      }
    }
    changes.add(new Change(ZoneOffset.UTC, BEGIN));
    return changes;
  }

  @Provide("changes")
  Arbitrary<Change> anyChange() {
    return Arbitraries.of(changes());
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
