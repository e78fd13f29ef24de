package io.millrace.jobtracker.domain.cron;

import static org.assertj.core.api.Assertions.assertThat;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.LongRange;

/**
 * Holds the engine against cron-utils' own where that is right: in UTC, which has no changes of the
 * clock, and in the years it knows. Left out is what it cannot do: ranges that wrap around outside
 * the day of week, {@code nW} from the 28th, which it puts on the last Sunday or fails on, and
 * {@code *}{@code /n} in one Unix day field beside a restriction in the other.
 */
class CronDifferentialTest {
  private static final CronParser QUARTZ =
      new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ));
  private static final CronParser UNIX =
      new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
  private static final String[] WEEKDAYS = {"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"};

  @Property(tries = 3000, edgeCases = EdgeCasesMode.NONE)
  void quartzExpressionsFireWhenCronUtilsSaysSo(
      @ForAll("quartz") String text,
      @ForAll @LongRange(min = 0, max = 3_500_000_000L) long epochSecond) {
    assertSame(QUARTZ, text, epochSecond);
  }

  @Property(tries = 3000, edgeCases = EdgeCasesMode.NONE)
  void unixExpressionsFireWhenCronUtilsSaysSo(
      @ForAll("unix") String text,
      @ForAll @LongRange(min = 0, max = 3_500_000_000L) long epochSecond) {
    assertSame(UNIX, text, epochSecond);
  }

  private static void assertSame(CronParser parser, String text, long epochSecond) {
    CronExpression ours = CronExpression.parse(text);
    ExecutionTime theirs = ExecutionTime.forCron(parser.parse(text));
    Instant after = Instant.ofEpochSecond(epochSecond);
    for (int i = 0; i < 5; i++) {
      Optional<Instant> expected =
          theirs.nextExecution(after.atZone(ZoneOffset.UTC)).map(ZonedDateTime::toInstant);
      Optional<Instant> next =
          ours.nextAfter(after, ZoneOffset.UTC)
              .filter(instant -> instant.atZone(ZoneOffset.UTC).getYear() <= 2099);
      assertThat(next).as("%s after %s", text, after).isEqualTo(expected);
      if (expected.isEmpty()) {
        return;
      }
      after = expected.get();
    }
  }

  @Provide
  Arbitrary<String> quartz() {
    Arbitrary<String> days =
        Arbitraries.oneOf(
            Combinators.combine(quartzDayOfMonth(), month())
                .as((day, month) -> day + " " + month + " ?"),
            Combinators.combine(month(), quartzDayOfWeek())
                .as((month, day) -> "? " + month + " " + day));
    Arbitrary<String> year =
        Arbitraries.frequencyOf(
            Tuple.of(6, Arbitraries.just("")),
            Tuple.of(1, Arbitraries.of(" *", " 2030-2040", " 2020,2050", " 1990/7")));
    return Combinators.combine(numbers(0, 59), numbers(0, 59), numbers(0, 23), days, year)
        .as((s, m, h, d, y) -> s + " " + m + " " + h + " " + d + y);
  }

  @Provide
  Arbitrary<String> unix() {
    Arbitrary<String> dayOfWeek =
        Arbitraries.oneOf(
            numbers(0, 6),
            Arbitraries.of(WEEKDAYS),
            Arbitraries.of("7", "1-5", "5-7", "MON-FRI", "SAT,SUN", "0-7"));
    Arbitrary<String> days =
        Arbitraries.oneOf(
            Combinators.combine(numbers(1, 31), month())
                .as((day, month) -> day + " " + month + " *"),
            Combinators.combine(month(), dayOfWeek).as((month, day) -> "* " + month + " " + day),
            Combinators.combine(list(1, 31), month(), dayOfWeek.filter(d -> !d.startsWith("*")))
                .as((ofMonth, month, ofWeek) -> ofMonth + " " + month + " " + ofWeek));
    return Combinators.combine(numbers(0, 59), numbers(0, 23), days)
        .as((m, h, d) -> m + " " + h + " " + d);
  }

  private static Arbitrary<String> quartzDayOfMonth() {
    return Arbitraries.oneOf(
        numbers(1, 31),
        Arbitraries.of("L", "LW", "L-1", "L-3", "L-10"),
        Arbitraries.integers().between(1, 27).map(day -> day + "W"));
  }

  private static Arbitrary<String> quartzDayOfWeek() {
    Arbitrary<String> names = Arbitraries.of(WEEKDAYS);
    return Arbitraries.oneOf(
        numbers(1, 7),
        names,
        Arbitraries.of("L", "MON-FRI", "FRI-MON", "6-2", "SAT,SUN", "2,4,6"),
        names.map(name -> name + "L"),
        Combinators.combine(
                Arbitraries.integers().between(1, 7), Arbitraries.integers().between(1, 4))
            .as((weekday, nth) -> weekday + "#" + nth));
  }

  private static Arbitrary<String> month() {
    return Arbitraries.oneOf(
        Arbitraries.just("*"), numbers(1, 12), Arbitraries.of("JAN", "FEB", "MAR-JUN", "JAN,JUL"));
  }

  private static Arbitrary<String> numbers(int min, int max) {
    Arbitrary<Integer> number = Arbitraries.integers().between(min, max);
    Arbitrary<Integer> step = Arbitraries.integers().between(2, Math.min(max, 20));
    Arbitrary<String> range =
        Combinators.combine(number, number).as((a, b) -> Math.min(a, b) + "-" + Math.max(a, b));
    return Arbitraries.oneOf(
        Arbitraries.just("*"),
        number.map(String::valueOf),
        list(min, max),
        range,
        step.map(n -> "*/" + n),
        Combinators.combine(number, step).as((from, n) -> from + "/" + n),
        Combinators.combine(range, step).as((r, n) -> r + "/" + n));
  }

  private static Arbitrary<String> list(int min, int max) {
    return Arbitraries.integers()
        .between(min, max)
        .set()
        .ofMinSize(1)
        .ofMaxSize(4)
        .map(set -> String.join(",", set.stream().sorted().map(String::valueOf).toList()));
  }
}
