package io.millrace.jobtracker.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.cron.InvalidScheduleException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The cache answers whatever is asked as the engine does, only sooner. */
class FireTimesCacheTest {
  private static final MisfirePolicy LATEST = MisfirePolicy.latest();
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");
  private static final List<ZoneId> ZONES =
      List.of(
          ZoneOffset.UTC,
          NEW_YORK,
          ZoneId.of("Australia/Lord_Howe"),
          ZoneId.of("Africa/Casablanca"),
          ZoneId.of("Asia/Kathmandu"));

  /** Around both changes of the clock in New York, and an ordinary day. */
  private static final List<Instant> DAYS =
      List.of(
          Instant.parse("2026-03-08T00:00:00Z"),
          Instant.parse("2026-11-01T00:00:00Z"),
          Instant.parse("2026-06-17T00:00:00Z"));

  private static final GenerationLimits LIMITS = GenerationLimits.DEFAULT;
  private static final Instant NOON = Instant.parse("2026-06-17T12:00:00.500Z");

  /**
   * A plan of one job.
   *
   * @param now of the tracker
   * @param back how long before now the job's mark is; negative if it is ahead
   */
  record Asked(String text, ZoneId zone, Instant now, Duration back) {
    Schedule schedule() {
      return new Schedule.Cron(text, zone);
    }

    Instant mark() {
      return now.minus(back);
    }
  }

  @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
  void plansAreThoseOfTheEngineWhateverWasAskedBefore(@ForAll("plans") List<Asked> plans) {
    GenerationPlanner planner = new GenerationPlanner(LIMITS);
    FireTimesCache cache = new FireTimesCache(ZoneOffset.UTC, LIMITS, 6_000);
    for (Asked asked : plans) {
      FireTimes cached = cache.of(asked.schedule(), asked.now(), asked.now());
      FireTimes computed = FireTimes.of(asked.schedule(), asked.now(), ZoneOffset.UTC);

      assertThat(planner.plan(cached, LATEST, asked.mark(), asked.now()))
          .as("%s", asked)
          .isEqualTo(planner.plan(computed, LATEST, asked.mark(), asked.now()));
      assertThat(cached.first(asked.now())).isEqualTo(computed.first(asked.now()));
      assertThat(cached.nextAfterEnd(asked.now(), 7))
          .isEqualTo(computed.nextAfterEnd(asked.now(), 7));
    }
  }

  @Property(tries = 80, edgeCases = EdgeCasesMode.NONE)
  void eachNextFireTimeIsThatOfTheEngine(@ForAll("plans") List<Asked> plans) {
    GenerationLimits hours =
        new GenerationLimits(Duration.ofHours(3), 60, 1_000, Duration.ofMinutes(20));
    FireTimesCache cache = new FireTimesCache(ZoneOffset.UTC, hours, 6_000);
    for (Asked asked : plans) {
      FireTimes cached = cache.of(asked.schedule(), asked.now(), asked.now());
      FireTimes computed = FireTimes.of(asked.schedule(), asked.now(), ZoneOffset.UTC);

      assertThat(stepsFrom(asked.mark(), cached))
          .as("%s", asked)
          .isEqualTo(stepsFrom(asked.mark(), computed));
    }
  }

  private static List<Instant> stepsFrom(Instant mark, FireTimes times) {
    List<Instant> steps = new ArrayList<>();
    Optional<Instant> next = times.nextAfter(mark);
    while (next.isPresent() && steps.size() < 2_500) {
      steps.add(next.get());
      next = times.nextAfter(next.get());
    }
    return steps;
  }

  @Provide
  Arbitrary<List<Asked>> plans() {
    Arbitrary<String> texts =
        Arbitraries.of(
            "* * * * * ?",
            "0/5 * * * * ?",
            "7 0/5 * * * ?",
            "0 0/1 1-3 * * ?",
            "0 30 1,2,3 * * ?",
            "15 10-20 8-17 ? * MON-FRI",
            "0 59 23 L * ?",
            "30 2 * * *",
            "@hourly",
            "@yearly",
            "0 0 12 17 6 ? 2026",
            "0 0 12 9 3 ? 2025");
    Arbitrary<Instant> nows =
        Combinators.combine(
                Arbitraries.of(DAYS), Arbitraries.longs().between(0, Duration.ofDays(1).toMillis()))
            .as(Instant::plusMillis);
    Arbitrary<Duration> backs =
        Arbitraries.oneOf(
            Arbitraries.longs().between(-600_000, 70_000).map(Duration::ofMillis),
            Arbitraries.longs().between(-1_500_000, 9_000_000).map(Duration::ofMillis));
    Arbitrary<Asked> one =
        Combinators.combine(texts, Arbitraries.of(ZONES), nows, backs).as(Asked::new);
    return Combinators.combine(
            one.list().ofMinSize(1).ofMaxSize(4),
            Arbitraries.longs().between(0, 400_000).list().ofSize(8))
        .as(FireTimesCacheTest::asTimeGoesOn);
  }

  /** Each of them, and then some again a little later, as generation comes again. */
  private static List<Asked> asTimeGoesOn(List<Asked> first, List<Long> later) {
    List<Asked> all = new ArrayList<>(first);
    Duration passed = Duration.ZERO;
    for (int i = 0; i < later.size(); i++) {
      passed = passed.plusMillis(later.get(i));
      Asked again = first.get(i % first.size());
      all.add(new Asked(again.text(), again.zone(), again.now().plus(passed), again.back()));
    }
    return all;
  }

  @Test
  void equalExpressionsOfOneZoneAreComputedOnce() {
    FireTimesCache cache = new FireTimesCache(ZoneOffset.UTC, LIMITS);
    FireTimes first = cron(cache, "0/5 * * * * ?", null, NOON);

    assertThat(cron(cache, "0/5 * * * * ?", ZoneOffset.UTC, NOON)).isSameAs(first);
    assertThat(cron(cache, "0/5 * * * * ?", null, NOON.plusSeconds(599))).isSameAs(first);
    assertThat(cron(cache, "0/5 * * * * ?", NEW_YORK, NOON)).isNotEqualTo(first);
    assertThat(cron(cache, "0/6 * * * * ?", null, NOON)).isNotEqualTo(first);
  }

  /** All that a plan asks for, and so the plan never asks the engine. */
  @Test
  void windowHoldsWhatPlansAskForUntilItIsFollowedByTheNext() {
    FireTimesCache cache = new FireTimesCache(ZoneOffset.UTC, LIMITS);
    for (int minute = 0; minute < 60; minute++) {
      Instant now = NOON.plusSeconds(60L * minute);
      CronFireTimes times = (CronFireTimes) cron(cache, "* * * * * ?", null, now);

      assertThat(times.window().covers(now.minusSeconds(61).getEpochSecond())).isTrue();
      assertThat(times.window().covers(now.plusSeconds(600).getEpochSecond())).isTrue();
      assertThat(times.window().size()).isLessThanOrEqualTo(1_300);
    }
  }

  @Test
  void expressionIsReadOnceAlsoWhenItsWindowIsOver() {
    FireTimesCache cache = new FireTimesCache(ZoneOffset.UTC, LIMITS);
    CronFireTimes before = (CronFireTimes) cron(cache, "0/5 * * * * ?", null, NOON);
    CronFireTimes after = (CronFireTimes) cron(cache, "0/5 * * * * ?", null, NOON.plusSeconds(900));

    assertThat(after).isNotSameAs(before);
    assertThat(after.expression()).isSameAs(before.expression());
  }

  @Test
  void whatNeverFiresAgainIsNotComputedAgain() {
    FireTimesCache cache = new FireTimesCache(ZoneOffset.UTC, LIMITS);
    FireTimes over = cron(cache, "0 0 12 9 3 ? 2025", null, NOON);

    assertThat(over.nextAfter(NOON)).isEmpty();
    assertThat(cron(cache, "0 0 12 9 3 ? 2025", null, NOON.plusSeconds(1_000_000))).isSameAs(over);
  }

  @Test
  void holdsNoMoreThanItsBoundAndForgetsWhatWasNotAskedForLongest() {
    FireTimesCache cache = new FireTimesCache(ZoneOffset.UTC, LIMITS, 10_000);
    FireTimes kept = cron(cache, "0 0/5 * * * ?", null, NOON);
    for (int i = 0; i < 500; i++) {
      cron(cache, "%d * * * * ? 1970-%d".formatted(i % 60, 3_000 + i), null, NOON);
      assertThat(cache.weight()).isPositive().isLessThanOrEqualTo(10_000);
      assertThat(cron(cache, "0 0/5 * * * ?", null, NOON)).isSameAs(kept);
    }
    FireTimes forgotten = cron(cache, "0 * * * * ? 1970-3000", null, NOON);

    assertThat(cron(cache, "0 * * * * ? 1970-3000", null, NOON)).isSameAs(forgotten);
  }

  @Test
  void windowLargerThanTheBoundIsComputedEachTime() {
    FireTimesCache cache = new FireTimesCache(ZoneOffset.UTC, LIMITS, 100);
    FireTimes times = cron(cache, "* * * * * ?", null, NOON);

    assertThat(cache.weight()).isZero();
    assertThat(times.nextAfter(NOON)).contains(Instant.parse("2026-06-17T12:00:01Z"));
  }

  @Test
  void malformedExpressionIsRefusedEachTime() {
    FireTimesCache cache = new FireTimesCache(ZoneOffset.UTC, LIMITS);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> cron(cache, "not a cron", null, NOON))
          .isInstanceOf(InvalidScheduleException.class);
    }
    assertThat(cache.weight()).isZero();
  }

  @Test
  void schedulesOfOtherKindsAreResolvedAsEver() {
    FireTimesCache cache = new FireTimesCache(ZoneOffset.UTC, LIMITS);
    Schedule repeat = new Schedule.Repeat(Duration.ofSeconds(3), null, 4L);

    assertThat(cache.of(repeat, NOON, NOON.plusSeconds(60)))
        .isEqualTo(FireTimes.of(repeat, NOON, ZoneOffset.UTC));
  }

  @Test
  void threadsThatAskAtOnceGetTheSameAnswers() {
    FireTimesCache cache = new FireTimesCache(ZoneOffset.UTC, LIMITS, 5_000);
    GenerationPlanner planner = new GenerationPlanner(LIMITS);
    List<GenerationPlan> plans =
        IntStream.range(0, 2_000)
            .parallel()
            .mapToObj(
                i ->
                    planner.plan(
                        cron(cache, i % 50 + " * * * * ?", null, NOON.plusSeconds(i)),
                        LATEST,
                        NOON.plusSeconds(i - 30),
                        NOON.plusSeconds(i)))
            .toList();

    for (int i = 0; i < plans.size(); i++) {
      FireTimes computed =
          FireTimes.of(new Schedule.Cron(i % 50 + " * * * * ?", null), NOON, ZoneOffset.UTC);
      assertThat(plans.get(i))
          .isEqualTo(planner.plan(computed, LATEST, NOON.plusSeconds(i - 30), NOON.plusSeconds(i)));
    }
    assertThat(cache.weight()).isPositive().isLessThanOrEqualTo(5_000);
  }

  private static FireTimes cron(FireTimesCache cache, String text, ZoneId zone, Instant now) {
    return cache.of(new Schedule.Cron(text, zone), NOON, now);
  }
}
