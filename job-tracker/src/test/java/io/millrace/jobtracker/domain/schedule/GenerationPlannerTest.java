package io.millrace.jobtracker.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GenerationPlannerTest {
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");
  private static final Instant ACCEPTED = Instant.parse("2025-03-08T00:00:00Z");
  private static final MisfirePolicy LATEST = MisfirePolicy.latest();
  private static final Instant MARK = ACCEPTED.minusMillis(1);
  private static final GenerationPlanner PLANNER = new GenerationPlanner(GenerationLimits.DEFAULT);

  @Test
  void newJobIsPlannedTenMinutesAheadFromItsAcceptance() {
    GenerationPlan plan = PLANNER.plan(every(Duration.ofMinutes(4)), LATEST, MARK, ACCEPTED);

    assertThat(plan.planned())
        .containsExactly(ACCEPTED, ACCEPTED.plusSeconds(240), ACCEPTED.plusSeconds(480));
    assertThat(plan.generatedUntil()).isEqualTo(ACCEPTED.plusSeconds(600));
    assertThat(plan.generateAt()).isEqualTo(ACCEPTED.plusSeconds(540));
    assertThat(plan.exhausted()).isFalse();
    assertThat(plan.skipped()).isNull();
  }

  @Test
  void jobThatFiresEverySecondHasSixtyTriggersAheadAndComesAgainEarlier() {
    GenerationPlan plan = PLANNER.plan(every(Duration.ofSeconds(1)), LATEST, MARK, ACCEPTED);

    assertThat(plan.planned()).as("the one that is due, and 60 ahead").hasSize(61);
    assertThat(plan.generatedUntil()).isEqualTo(ACCEPTED.plusSeconds(60));
    assertThat(plan.generateAt()).isEqualTo(ACCEPTED.plusSeconds(54));
  }

  @Test
  void nextPlanFillsUpToSixtyAgain() {
    FireTimes times = every(Duration.ofSeconds(1));
    Instant now = ACCEPTED.plusSeconds(54);

    GenerationPlan plan = PLANNER.plan(times, LATEST, ACCEPTED.plusSeconds(60), now);

    assertThat(plan.planned()).hasSize(54).startsWith(ACCEPTED.plusSeconds(61));
    assertThat(plan.generatedUntil()).isEqualTo(now.plusSeconds(60));
  }

  /** A tracker before this one may have written further ahead. */
  @Test
  void nothingIsPlannedWhileMoreIsAheadThanThereNeedsToBe() {
    FireTimes times = every(Duration.ofSeconds(1));

    GenerationPlan plan = PLANNER.plan(times, LATEST, ACCEPTED.plusSeconds(600), ACCEPTED);

    assertThat(plan.planned()).isEmpty();
    assertThat(plan.generatedUntil()).isEqualTo(ACCEPTED.plusSeconds(600));
    assertThat(plan.generateAt()).isEqualTo(ACCEPTED.plusSeconds(540));
  }

  @Test
  void jobThatFiresManyTimesASecondHasFifteenSecondsAheadOrWhatOnePlanHolds() {
    GenerationPlan often = PLANNER.plan(every(Duration.ofMillis(100)), LATEST, MARK, ACCEPTED);
    assertThat(often.generatedUntil()).isEqualTo(ACCEPTED.plusSeconds(15));
    assertThat(often.planned()).hasSize(151);
    assertThat(often.generateAt()).isEqualTo(ACCEPTED.plusMillis(13_500));

    GenerationPlan oftener = PLANNER.plan(every(Duration.ofMillis(10)), LATEST, MARK, ACCEPTED);
    assertThat(oftener.planned()).hasSize(1000);
    assertThat(oftener.generatedUntil()).isEqualTo(ACCEPTED.plusMillis(9_990));
  }

  @Property(tries = 300)
  void whatIsAheadIsBounded(
      @ForAll @LongRange(min = 20, max = 20_000) long interval,
      @ForAll @DoubleRange(min = 0, max = 1, maxIncluded = false) double spread) {
    FireTimes times = every(Duration.ofMillis(interval));
    Instant mark = MARK;
    Instant now = ACCEPTED;
    for (int i = 0; i < 20; i++) {
      GenerationPlan plan = PLANNER.plan(times, LATEST, mark, now, spread);
      mark = plan.generatedUntil();

      long ahead = Duration.between(now, mark).toMillis() / interval;
      assertThat(ahead).isLessThanOrEqualTo(Math.max(60, 15_000 / interval));
      assertThat(ahead)
          .isGreaterThanOrEqualTo(Math.min(60, Duration.ofMinutes(10).toMillis() / interval) - 1);
      now = Objects.requireNonNull(plan.generateAt());
    }
  }

  @Property(tries = 300)
  void nextGenerationFallsBetweenFiveAndNineTenthsOfWhatIsCovered(
      @ForAll @LongRange(min = 20, max = 100_000_000) long interval,
      @ForAll @DoubleRange(min = 0, max = 1, maxIncluded = false) double spread) {
    FireTimes times = every(Duration.ofMillis(interval));

    GenerationPlan plan = PLANNER.plan(times, LATEST, MARK, ACCEPTED, spread);

    long covered = Duration.between(ACCEPTED, plan.generatedUntil()).toMillis();
    Instant next = times.nextAfter(plan.generatedUntil()).orElseThrow();
    assertThat(plan.generateAt())
        .isAfterOrEqualTo(ACCEPTED.plusMillis(covered / 2))
        .isBefore(next.minusMillis(covered / 11));
    if (interval <= 60_000) {
      assertThat(plan.generateAt()).isBeforeOrEqualTo(ACCEPTED.plusMillis(covered * 9 / 10));
    } else if (interval >= 1_200_000) {
      assertThat(plan.generateAt()).isBefore(next.minusSeconds(299));
    }
  }

  @Test
  void farFireTimeIsGeneratedOneWindowBeforeIt() {
    GenerationPlan plan = PLANNER.plan(cron("0 0 12 * * ?"), LATEST, MARK, ACCEPTED);

    assertThat(plan.planned()).isEmpty();
    assertThat(plan.generatedUntil()).isEqualTo(ACCEPTED.plusSeconds(600));
    assertThat(plan.generateAt()).isEqualTo(Instant.parse("2025-03-08T16:50:00Z"));
  }

  @Test
  void veryFarFireTimeIsLookedAtAgainWithinTheDay() {
    GenerationPlan plan = PLANNER.plan(cron("@yearly"), LATEST, MARK, ACCEPTED);

    assertThat(plan.generateAt()).isEqualTo(ACCEPTED.plus(Duration.ofDays(1)));
  }

  @Test
  void scheduleWithoutFurtherFireTimeIsExhausted() {
    FireTimes twice = new GridFireTimes(ACCEPTED.toEpochMilli(), 1000, 2);

    GenerationPlan plan = PLANNER.plan(twice, LATEST, MARK, ACCEPTED);

    assertThat(plan.planned()).containsExactly(ACCEPTED, ACCEPTED.plusSeconds(1));
    assertThat(plan.exhausted()).isTrue();
    assertThat(plan.generateAt()).isNull();
  }

  @Test
  void latestThatIsDueStandsForAllThatWereMissed() {
    Instant now = ACCEPTED.plus(Duration.ofHours(3)).plusSeconds(30);

    GenerationPlan plan = PLANNER.plan(every(Duration.ofMinutes(10)), LATEST, MARK, now);

    assertThat(plan.skipped())
        .isEqualTo(new SkippedRange(ACCEPTED, ACCEPTED.plus(Duration.ofMinutes(170)), 18));
    assertThat(plan.planned())
        .containsExactly(
            ACCEPTED.plus(Duration.ofMinutes(180)), ACCEPTED.plus(Duration.ofMinutes(190)));
  }

  @Test
  void latestThatIsDueRunsHoweverLateWithinItsWindow() {
    Instant now = ACCEPTED.plus(Duration.ofHours(3)).plusSeconds(90);

    GenerationPlan plan = PLANNER.plan(every(Duration.ofMinutes(10)), LATEST, MARK, now);

    assertThat(plan.planned())
        .containsExactly(
            ACCEPTED.plus(Duration.ofMinutes(180)), ACCEPTED.plus(Duration.ofMinutes(190)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 30, 600, 86_400})
  void afterAnOutageOneRunsWithLatestAndOnlyWhatIsInTimeWithNone(int seconds) {
    Instant now = ACCEPTED.plusSeconds(seconds).plusMillis(500);
    for (MisfirePolicy policy : List.of(LATEST, MisfirePolicy.none())) {
      GenerationPlan plan = PLANNER.plan(every(Duration.ofSeconds(1)), policy, MARK, now);

      assertThat(plan.skipped())
          .isEqualTo(new SkippedRange(ACCEPTED, ACCEPTED.plusSeconds(seconds - 1), seconds));
      assertThat(plan.planned())
          .startsWith(ACCEPTED.plusSeconds(seconds), ACCEPTED.plusSeconds(seconds + 1));
    }
  }

  @Test
  void fireTimeGivesWayInTheMillisecondInWhichTheNextIsDue() {
    FireTimes times = every(Duration.ofSeconds(7));

    assertThat(PLANNER.plan(times, LATEST, MARK, ACCEPTED.plusMillis(6_999)).skipped()).isNull();
    assertThat(PLANNER.plan(times, LATEST, MARK, ACCEPTED.plusMillis(7_000)).skipped())
        .isEqualTo(new SkippedRange(ACCEPTED, ACCEPTED, 1));
  }

  @Test
  void latestMissedFireTimeBeforeTheCatchUpWindowIsSkippedToo() {
    Instant now = ACCEPTED.plus(Duration.ofHours(2));

    GenerationPlan plan =
        PLANNER.plan(new GridFireTimes(millis(ACCEPTED), 1000, 5), LATEST, MARK, now);

    assertThat(plan.planned()).isEmpty();
    assertThat(plan.skipped()).isEqualTo(new SkippedRange(ACCEPTED, ACCEPTED.plusSeconds(4), 5));
    assertThat(plan.exhausted()).isTrue();
  }

  @Test
  void policySaysWhichOfTheMissedFireTimesArePlanned() {
    Instant now = ACCEPTED.plus(Duration.ofMinutes(45));
    FireTimes times = new GridFireTimes(millis(ACCEPTED), 600_000, 5);

    assertThat(PLANNER.plan(times, MisfirePolicy.none(), MARK, now).planned()).isEmpty();
    assertThat(PLANNER.plan(times, MisfirePolicy.none(), MARK, now).skipped())
        .isEqualTo(new SkippedRange(ACCEPTED, ACCEPTED.plusSeconds(2_400), 5));
    assertThat(PLANNER.plan(times, MisfirePolicy.all(), MARK, now).planned()).hasSize(5);
    assertThat(PLANNER.plan(times, MisfirePolicy.all().atMost(2), MARK, now).planned())
        .containsExactly(ACCEPTED.plusSeconds(1_800), ACCEPTED.plusSeconds(2_400));
  }

  /** What does not fit into one plan follows in the next, which comes at once. */
  @Test
  void capAboveWhatOnePlanHoldsIsCutToIt() {
    GenerationPlanner planner =
        new GenerationPlanner(
            new GenerationLimits(Duration.ofMinutes(10), 60, 3, Duration.ofSeconds(60)));
    Instant now = ACCEPTED.plus(Duration.ofMinutes(10));

    GenerationPlan plan =
        planner.plan(every(Duration.ofMinutes(1)), MisfirePolicy.all(), MARK, now);

    assertThat(plan.skipped()).isEqualTo(new SkippedRange(ACCEPTED, ACCEPTED.plusSeconds(360), 7));
    assertThat(plan.planned())
        .containsExactly(
            ACCEPTED.plusSeconds(420), ACCEPTED.plusSeconds(480), ACCEPTED.plusSeconds(540));
    assertThat(plan.generateAt()).isEqualTo(now);
  }

  @Test
  void fireTimeThatIsOneMillisecondOverTheThresholdIsMissed() {
    FireTimes once = new GridFireTimes(millis(ACCEPTED), 1000, 1);

    GenerationPlan plan =
        PLANNER.plan(once, MisfirePolicy.none(), MARK, ACCEPTED.plusMillis(60_001));

    assertThat(plan.skipped()).isEqualTo(new SkippedRange(ACCEPTED, ACCEPTED, 1));
  }

  @Test
  void thresholdOutOfItsBoundsIsRefusedWithTheValue() {
    for (Duration threshold : List.of(Duration.ofMillis(999), Duration.ofDays(2))) {
      assertThatThrownBy(() -> new GenerationLimits(Duration.ofMinutes(10), 60, 3, threshold))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("between 1 second and 1 day")
          .hasMessageContaining(threshold.toString());
    }
  }

  @Test
  void fireTimeWithinTheMisfireThresholdIsNotMissed() {
    FireTimes once = new GridFireTimes(millis(ACCEPTED), 1000, 1);

    assertThat(PLANNER.plan(once, LATEST, MARK, ACCEPTED.plusSeconds(60)).planned())
        .containsExactly(ACCEPTED);
  }

  @Test
  void moreMissedThanPlanLooksAtAreSkippedAtOnceAndThePlanComesAgain() {
    GenerationPlanner planner = new GenerationPlanner(GenerationLimits.DEFAULT, 100);
    Instant now = ACCEPTED.plusSeconds(258);

    GenerationPlan first = planner.plan(cron("* * * * * ?"), LATEST, MARK, now);
    GenerationPlan second = planner.plan(cron("* * * * * ?"), LATEST, first.generatedUntil(), now);
    GenerationPlan third = planner.plan(cron("* * * * * ?"), LATEST, second.generatedUntil(), now);

    assertThat(first.planned()).isEmpty();
    assertThat(first.generateAt()).isEqualTo(now);
    assertThat(first.skipped())
        .isEqualTo(new SkippedRange(ACCEPTED, ACCEPTED.plusSeconds(99), 100));
    assertThat(second.skipped())
        .isEqualTo(new SkippedRange(ACCEPTED.plusSeconds(100), ACCEPTED.plusSeconds(199), 100));
    assertThat(third.skipped())
        .isEqualTo(new SkippedRange(ACCEPTED.plusSeconds(200), ACCEPTED.plusSeconds(257), 58));
    assertThat(third.planned()).startsWith(ACCEPTED.plusSeconds(258));
  }

  @Test
  void markNeverGoesBack() {
    GenerationPlan plan =
        PLANNER.plan(every(Duration.ofMinutes(4)), LATEST, ACCEPTED.plusSeconds(3600), ACCEPTED);

    assertThat(plan.planned()).isEmpty();
    assertThat(plan.generatedUntil()).isEqualTo(ACCEPTED.plusSeconds(3600));
  }

  @Test
  void fixedDelayCannotBeGeneratedAhead() {
    assertThatThrownBy(() -> PLANNER.plan(new DelayFireTimes(0, 1000, 5), LATEST, MARK, ACCEPTED))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                PLANNER.plan(
                    BoundedFireTimes.until(ACCEPTED, new DelayFireTimes(0, 1000, 5)),
                    LATEST,
                    MARK,
                    ACCEPTED))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void scheduleIsExhaustedWhenItsLastFireTimeBeforeTheEndIsPlanned() {
    Instant end = ACCEPTED.plusSeconds(480);
    Schedule schedule = new Schedule.Repeat(Duration.ofMinutes(4), null, null, end);

    GenerationPlan plan = PLANNER.plan(of(schedule), LATEST, MARK, ACCEPTED);

    assertThat(plan.planned()).containsExactly(ACCEPTED, ACCEPTED.plusSeconds(240));
    assertThat(plan.exhausted()).isTrue();
  }

  @Test
  void missedFireTimesAreCountedUpToTheEnd() {
    Instant start = ACCEPTED.plusSeconds(10);
    Instant end = ACCEPTED.plusSeconds(20);
    Schedule schedule = new Schedule.Cron("* * * * * ?", null, start, end);

    GenerationPlan plan = PLANNER.plan(of(schedule), LATEST, MARK, ACCEPTED.plusSeconds(86_400));

    assertThat(plan.skipped()).isEqualTo(new SkippedRange(start, end.minusSeconds(1), 10));
    assertThat(plan.planned()).isEmpty();
    assertThat(plan.exhausted()).isTrue();
  }

  @Property(tries = 500)
  void lastFireTimeIsThatOfBruteForce(
      @ForAll("schedules") FireTimes times,
      @ForAll @LongRange(min = -10_000, max = 20_000_000) long after,
      @ForAll @LongRange(min = 0, max = 4_000_000) long length) {
    Instant from = ACCEPTED.plusMillis(after);
    List<Instant> all = list(times, from, from.plusMillis(length));

    assertThat(times.lastIn(from, from.plusMillis(length)))
        .isEqualTo(all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1)));
  }

  @Property(tries = 200)
  void equalArgumentsGiveEqualPlans(
      @ForAll @LongRange(min = 1, max = 10_000_000) long interval,
      @ForAll @LongRange(min = 0, max = 100_000_000) long age) {
    FireTimes times = every(Duration.ofMillis(interval));
    Instant now = ACCEPTED.plusMillis(age);

    assertThat(PLANNER.plan(times, LATEST, MARK, now))
        .isEqualTo(PLANNER.plan(times, LATEST, MARK, now));
  }

  @Property(tries = 200)
  void successivePlansCoverTheScheduleExactlyOnce(
      @ForAll("schedules") FireTimes times,
      @ForAll("policies") MisfirePolicy policy,
      @ForAll List<@IntRange(max = 20_000) Integer> delaySeconds) {
    GenerationLimits limits =
        new GenerationLimits(Duration.ofMinutes(10), 60, 50, Duration.ofSeconds(60));
    GenerationPlanner planner = new GenerationPlanner(limits, 60);
    Instant mark = MARK;
    Instant now = ACCEPTED;
    for (int delay : delaySeconds) {
      GenerationPlan plan = planner.plan(times, policy, mark, now);

      assertThat(plan.planned()).hasSizeLessThanOrEqualTo(50);
      assertThat(instantsOf(plan, times)).isEqualTo(list(times, mark, plan.generatedUntil()));
      assertThat(plan.generatedUntil()).isAfterOrEqualTo(mark);
      assertThat(plan.exhausted()).isEqualTo(plan.generateAt() == null);
      mark = plan.generatedUntil();
      if (plan.generateAt() == null) {
        assertThat(times.nextAfter(mark)).isEmpty();
        return;
      }
      assertThat(plan.generateAt()).isAfterOrEqualTo(now);
      now = plan.generateAt().plusSeconds(delay % 3 == 0 ? delay : 0);
    }
  }

  @Property(tries = 200)
  void punctualGenerationNeverMissesFireTime(
      @ForAll("schedules") FireTimes times,
      @ForAll @DoubleRange(min = 0, max = 1, maxIncluded = false) double spread) {
    Instant mark = MARK;
    Instant now = ACCEPTED;
    for (int i = 0; i < 50 && now != null; i++) {
      GenerationPlan plan = PLANNER.plan(times, LATEST, mark, now, spread);

      assertThat(plan.skipped()).isNull();
      assertThat(plan.planned()).allMatch(now.minusMillis(1)::isBefore);
      mark = plan.generatedUntil();
      now = plan.generateAt();
    }
  }

  @Provide
  Arbitrary<MisfirePolicy> policies() {
    return Arbitraries.of(
        MisfirePolicy.none(),
        MisfirePolicy.latest(),
        MisfirePolicy.all(),
        MisfirePolicy.all().atMost(7).within(Duration.ofMinutes(20)));
  }

  @Provide
  Arbitrary<FireTimes> schedules() {
    Arbitrary<FireTimes> crons =
        Arbitraries.of(
                "* * * * * ?",
                "0 0/5 * * * ?",
                "0 30 2 * * ?",
                "0 0 1,2,3 * * ?",
                "15 10-20 8-17 ? * MON-FRI",
                "0 0 0 L * ?",
                "0 0 12 9 3 ? 2025")
            .map(GenerationPlannerTest::cron);
    Arbitrary<FireTimes> grids =
        Combinators.combine(
                Arbitraries.longs().between(200, 10_000_000), Arbitraries.longs().between(1, 2000))
            .as((interval, times) -> new GridFireTimes(millis(ACCEPTED), interval, times));
    return Arbitraries.oneOf(crons, grids, bounded(Arbitraries.oneOf(crons, grids)));
  }

  private static Arbitrary<FireTimes> bounded(Arbitrary<FireTimes> unbounded) {
    Arbitrary<Long> seconds = Arbitraries.longs().between(0, 1_000_000);
    return Combinators.combine(unbounded, seconds, seconds)
        .as(
            (times, start, end) ->
                BoundedFireTimes.until(
                    ACCEPTED.plusSeconds(end),
                    BoundedFireTimes.from(ACCEPTED.plusSeconds(start), times)));
  }

  private static List<Instant> instantsOf(GenerationPlan plan, FireTimes times) {
    List<Instant> all = new ArrayList<>();
    SkippedRange skipped = plan.skipped();
    if (skipped != null) {
      all.addAll(list(times, skipped.from().minusMillis(1), skipped.to()));
      assertThat(all).hasSize((int) skipped.count());
    }
    all.addAll(plan.planned());
    return all;
  }

  private static List<Instant> list(FireTimes times, Instant after, Instant until) {
    List<Instant> all = new ArrayList<>();
    Optional<Instant> next = times.nextAfter(after);
    while (next.isPresent() && !next.get().isAfter(until)) {
      all.add(next.get());
      next = times.nextAfter(next.get());
    }
    return all;
  }

  private static FireTimes every(Duration interval) {
    return of(new Schedule.Repeat(interval, null, null));
  }

  private static FireTimes cron(String text) {
    return of(new Schedule.Cron(text, null));
  }

  private static FireTimes of(Schedule schedule) {
    return FireTimes.of(schedule, ACCEPTED, NEW_YORK);
  }

  private static long millis(Instant instant) {
    return instant.toEpochMilli();
  }
}
