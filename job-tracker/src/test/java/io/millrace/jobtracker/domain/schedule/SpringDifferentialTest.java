package io.millrace.jobtracker.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.cron.CronExpression;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

/**
 * Holds the engine against that of Spring, in any zone, on days without a change of the clock:
 * Spring knows those days differently. Their weekdays begin at different numbers, and where both
 * day fields are restricted Spring demands both, as a Unix expression does only if one begins with
 * a star.
 */
class SpringDifferentialTest {
  private static final List<String> WEEKDAYS =
      List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
  private static final List<ZoneId> ZONES = ZoneChanges.zones();
  private static final Duration A_DAY = Duration.ofHours(26);

  /** The same schedule in both dialects. */
  record Both(String ours, String springs) {}

  @Property(tries = 6000, edgeCases = EdgeCasesMode.NONE)
  void firesWhenSpringSaysSo(
      @ForAll("expressions") Both both,
      @ForAll("zones") ZoneId zone,
      @ForAll @LongRange(min = 86_400, max = 4_200_000_000L) long epochSecond) {
    CronExpression ours = CronExpression.parse(both.ours());
    var springs = org.springframework.scheduling.support.CronExpression.parse(both.springs());
    Instant after = Instant.ofEpochSecond(epochSecond);
    for (int i = 0; i < 4 && isOrdinary(after, zone); i++) {
      Optional<Instant> expected =
          Optional.ofNullable(springs.next(after.atZone(zone))).map(ZonedDateTime::toInstant);
      Optional<Instant> next = ours.nextAfter(after, zone);
      if (isOrdinary(next, zone) && isOrdinary(expected, zone)) {
        assertThat(next).as("%s in %s after %s", both, zone, after).isEqualTo(expected);
      }
      after = next.or(() -> expected).orElse(Instant.MAX);
    }
  }

  private static boolean isOrdinary(Optional<Instant> fire, ZoneId zone) {
    return fire.isEmpty() || isOrdinary(fire.get(), zone);
  }

  /** Whether no clock of the zone changes on the day of this instant. */
  private static boolean isOrdinary(Instant instant, ZoneId zone) {
    if (instant.equals(Instant.MAX)) {
      return false;
    }
    ZoneRules rules = zone.getRules();
    ZoneOffsetTransition next = rules.nextTransition(instant.minus(A_DAY));
    return next == null || next.getInstant().isAfter(instant.plus(A_DAY));
  }

  @Provide
  Arbitrary<ZoneId> zones() {
    return Arbitraries.of(ZONES);
  }

  @Provide
  Arbitrary<Both> expressions() {
    return Arbitraries.oneOf(quartz(), unix());
  }

  private static Arbitrary<Both> quartz() {
    Arbitrary<Both> days =
        Arbitraries.oneOf(
            daysOfMonth().map(day -> new Both(day + " %s ?", day + " %s ?")),
            weekdays(1).map(day -> new Both("? %s " + day.ours(), "? %s " + day.springs())));
    return Combinators.combine(numbers(0, 59), numbers(0, 59), numbers(0, 23), days, months())
        .as(
            (second, minute, hour, day, month) ->
                append(second + " " + minute + " " + hour + " ", "", day, month));
  }

  private static Arbitrary<Both> unix() {
    Arbitrary<String> starred = Arbitraries.integers().between(2, 10).map(step -> "*/" + step);
    Arbitrary<Both> days =
        Arbitraries.oneOf(
            numbers(1, 31).map(day -> new Both(day + " %s *", day + " %s *")),
            Combinators.combine(
                    Arbitraries.oneOf(Arbitraries.just("*"), starred),
                    weekdays(0).filter(day -> !day.ours().matches(".*[L#].*")))
                .as(
                    (ofMonth, ofWeek) ->
                        new Both(
                            ofMonth + " %s " + ofWeek.ours(),
                            ofMonth + " %s " + ofWeek.springs())));
    return Combinators.combine(numbers(0, 59), numbers(0, 23), days, months())
        .as((minute, hour, day, month) -> append(minute + " " + hour + " ", "0 ", day, month));
  }

  private static Both append(String time, String second, Both days, String month) {
    return new Both(
        time + days.ours().replace("%s", month),
        second + time + days.springs().replace("%s", month));
  }

  /**
   * Not nW from the 28th: where the last day of a month is a Sunday, Spring goes on to the next
   * month ({@code 31W} is not in May 1970, whose nearest weekday is the 29th). Nor L-n from 28 on,
   * which Spring takes into the month before ({@code L-29} of February 1970 is on 30 January).
   */
  private static Arbitrary<String> daysOfMonth() {
    return Arbitraries.oneOf(
        numbers(1, 31),
        Arbitraries.of("L", "LW"),
        Arbitraries.integers().between(1, 27).map(before -> "L-" + before),
        Arbitraries.integers().between(1, 27).map(day -> day + "W"));
  }

  /** Weekdays; ours has Sunday at this number, Spring's at nought. */
  private static Arbitrary<Both> weekdays(int sunday) {
    Arbitrary<Integer> number = Arbitraries.integers().between(0, 6);
    Arbitrary<String> name = Arbitraries.of(WEEKDAYS);
    return Arbitraries.oneOf(
        name.map(day -> new Both(day, day)),
        Arbitraries.of("MON-FRI", "SAT,SUN", "TUE-THU,SAT", "FRI-SUN", "SUN-WED", "*")
            .map(days -> new Both(days, days)),
        number.map(day -> new Both("" + (day + sunday), "" + day)),
        Combinators.combine(number, number)
            .as(
                (a, b) -> {
                  int from = Math.min(a, b);
                  int to = Math.max(a, b);
                  return new Both((from + sunday) + "-" + (to + sunday), from + "-" + to);
                }),
        name.map(day -> new Both(day + "L", day + "L")),
        Combinators.combine(number, Arbitraries.integers().between(1, 5))
            .as((day, nth) -> new Both((day + sunday) + "#" + nth, day + "#" + nth)));
  }

  private static Arbitrary<String> months() {
    return Arbitraries.oneOf(
        Arbitraries.just("*"), numbers(1, 12), Arbitraries.of("FEB", "MAR-JUN", "JAN,JUL"));
  }

  private static Arbitrary<String> numbers(int min, int max) {
    Arbitrary<Integer> number = Arbitraries.integers().between(min, max);
    Arbitrary<Integer> step = Arbitraries.integers().between(2, Math.min(max, 20));
    Arbitrary<String> range =
        Combinators.combine(number, number).as((a, b) -> Math.min(a, b) + "-" + Math.max(a, b));
    return Arbitraries.oneOf(
        Arbitraries.just("*"),
        number.map(String::valueOf),
        Combinators.combine(number, number, number).as((a, b, c) -> a + "," + b + "," + c),
        range,
        step.map(n -> "*/" + n),
        Combinators.combine(number, step).as((from, n) -> from + "/" + n),
        Combinators.combine(range, step).as((r, n) -> r + "/" + n));
  }
}
