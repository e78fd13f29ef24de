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
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class MissedFiresTest {
  private static final Instant START = Instant.parse("2025-03-09T00:00:00Z");
  private static final Instant BEFORE_START = START.minusMillis(1);
  private static final int PLENTY = 1_000_000;

  @Test
  void nothingMissedIsNothingToDo() {
    MissedFires missed = decide(minutely(), START, START.plusSeconds(60), MisfirePolicy.all());

    assertThat(missed).isEqualTo(new MissedFires(List.of(), null, START, true));
  }

  @Test
  void noneSkipsAllOfThem() {
    MissedFires missed = decide(minutely(), BEFORE_START, minute(10), MisfirePolicy.none());

    assertThat(missed)
        .isEqualTo(
            new MissedFires(
                List.of(), new SkippedRange(minute(0), minute(9), 10), minute(9), true));
  }

  @Test
  void latestRunsTheLastOfThem() {
    MissedFires missed = decide(minutely(), BEFORE_START, minute(10), MisfirePolicy.latest());

    assertThat(missed)
        .isEqualTo(
            new MissedFires(
                List.of(minute(9)), new SkippedRange(minute(0), minute(8), 9), minute(9), true));
  }

  @Test
  void latestThatIsTheOnlyOneLeavesNothingToSkip() {
    MissedFires missed = decide(minutely(), BEFORE_START, minute(1), MisfirePolicy.latest());

    assertThat(missed).isEqualTo(new MissedFires(List.of(minute(0)), null, minute(0), true));
  }

  @Test
  void allRunsAsManyAsTheCapAllowsAndThoseAreTheLatest() {
    MissedFires missed =
        decide(minutely(), BEFORE_START, minute(10), MisfirePolicy.all().atMost(3));

    assertThat(missed.run()).containsExactly(minute(7), minute(8), minute(9));
    assertThat(missed.skipped()).isEqualTo(new SkippedRange(minute(0), minute(6), 7));
  }

  @Test
  void allRunsAllOfThemWhenTheCapIsJustEnough() {
    MissedFires missed = decide(minutely(), BEFORE_START, minute(3), MisfirePolicy.all().atMost(3));

    assertThat(missed.run()).containsExactly(minute(0), minute(1), minute(2));
    assertThat(missed.skipped()).isNull();
  }

  @Test
  void kindOfNewerVersionIsTheDefault() {
    MisfirePolicy unknown =
        new MisfirePolicy(MisfirePolicy.Kind.UNKNOWN, Duration.ofHours(1), 100, false);

    assertThat(decide(minutely(), BEFORE_START, minute(10), unknown))
        .isEqualTo(decide(minutely(), BEFORE_START, minute(10), MisfirePolicy.latest()));
  }

  @Test
  void windowReachesBackToItsVeryMillisecond() {
    Instant before = minute(10);
    for (MisfirePolicy policy : List.of(MisfirePolicy.latest(), MisfirePolicy.all())) {
      Instant windowAtLatest = minute(9).plus(policy.window());

      assertThat(decide(minutely(), BEFORE_START, before, policy, windowAtLatest).run())
          .containsExactly(minute(9));
      MissedFires tooLate =
          decide(minutely(), BEFORE_START, before, policy, windowAtLatest.plusMillis(1));
      assertThat(tooLate.run()).isEmpty();
      assertThat(tooLate.skipped()).isEqualTo(new SkippedRange(minute(0), minute(9), 10));
    }
  }

  @Test
  void windowOfNothingLetsOnlyThisVeryMillisecondRun() {
    MisfirePolicy policy = MisfirePolicy.all().within(Duration.ZERO);

    assertThat(decide(minutely(), BEFORE_START, minute(10), policy, minute(9)).run())
        .containsExactly(minute(9));
  }

  @Test
  void windowLongerThanTimeItselfHoldsEverything() {
    MisfirePolicy policy = MisfirePolicy.all().within(Duration.ofSeconds(Long.MAX_VALUE));

    assertThat(decide(minutely(), BEFORE_START, minute(4), policy).run()).hasSize(4);
  }

  @Test
  void boundsAreExclusiveToTheMillisecond() {
    MisfirePolicy policy = MisfirePolicy.all();

    assertThat(decide(minutely(), minute(2), minute(5), policy).run())
        .containsExactly(minute(3), minute(4));
    assertThat(decide(minutely(), minute(2).minusMillis(1), minute(5).plusMillis(1), policy).run())
        .containsExactly(minute(2), minute(3), minute(4), minute(5));
  }

  @Test
  void yearsOfMillisecondsAreComputedAndNotListed() {
    FireTimes everyMillisecond = new GridFireTimes(START.toEpochMilli(), 1, Long.MAX_VALUE);
    Instant later = START.plus(Duration.ofDays(3_650));

    MissedFires missed =
        decide(everyMillisecond, BEFORE_START, later, MisfirePolicy.all().atMost(2), later);

    assertThat(missed.run()).containsExactly(later.minusMillis(2), later.minusMillis(1));
    assertThat(missed.skipped())
        .isEqualTo(
            new SkippedRange(START, later.minusMillis(3), Duration.ofDays(3_650).toMillis() - 2));
  }

  @Test
  void moreThanIsCountedSkipsWhatIsCertainAndRunsNothing() {
    FireTimes times = cron("0 * * * * ?");

    MissedFires missed =
        MissedFires.decide(
            times, BEFORE_START, minute(10), MisfirePolicy.all().atMost(2), minute(10), 5);

    assertThat(missed)
        .isEqualTo(
            new MissedFires(
                List.of(), new SkippedRange(minute(0), minute(2), 3), minute(2), false));
  }

  @Test
  void capThatLeavesNothingToSkipIsRefused() {
    assertThatThrownBy(
            () ->
                MissedFires.decide(
                    minutely(), START, minute(9), MisfirePolicy.all().atMost(5), minute(9), 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("5");
  }

  @Property(tries = 500)
  void decisionsAreThoseOfBruteForce(
      @ForAll("schedules") FireTimes times,
      @ForAll("policies") MisfirePolicy policy,
      @ForAll @LongRange(min = -1, max = 7_200_000) long afterMillis,
      @ForAll @LongRange(min = 0, max = 7_200_000) long lengthMillis,
      @ForAll @LongRange(min = 0, max = 7_200_000) long lateMillis,
      @ForAll @IntRange(min = 0, max = 50) int countedBeyondTheCap) {
    Instant after = START.plusMillis(afterMillis);
    Instant before = after.plusMillis(lengthMillis);
    Instant now = before.plusMillis(lateMillis);
    int maxCounted = MissedFires.mayRun(policy) + 1 + countedBeyondTheCap;
    List<Instant> all = list(times, after, before);

    List<Instant> seen = new ArrayList<>();
    List<Instant> run = List.of();
    Instant mark = after;
    boolean complete = false;
    while (!complete) {
      MissedFires missed = MissedFires.decide(times, mark, before, policy, now, maxCounted);
      SkippedRange skipped = missed.skipped();
      if (skipped != null) {
        List<Instant> range =
            list(times, skipped.from().minusMillis(1), skipped.to().plusMillis(1));
        assertThat(range).hasSize((int) skipped.count());
        seen.addAll(range);
      }
      seen.addAll(missed.run());
      run = missed.run();
      complete = missed.isComplete();
      assertThat(complete || missed.until().isAfter(mark)).isTrue();
      mark = missed.until();
    }

    assertThat(seen).isEqualTo(all);
    assertThat(run).isEqualTo(bruteForce(all, policy, now));
    assertThat(mark).isEqualTo(all.isEmpty() ? after : all.get(all.size() - 1));
  }

  private static List<Instant> bruteForce(List<Instant> all, MisfirePolicy policy, Instant now) {
    int most =
        switch (policy.kind()) {
          case NONE -> 0;
          case LATEST, UNKNOWN -> 1;
          case ALL -> policy.cap();
        };
    List<Instant> inWindow =
        all.stream()
            .filter(at -> Duration.between(at, now).compareTo(policy.window()) <= 0)
            .toList();
    return inWindow.subList(Math.max(0, inWindow.size() - most), inWindow.size());
  }

  @Provide
  Arbitrary<MisfirePolicy> policies() {
    return Combinators.combine(
            Arbitraries.of(MisfirePolicy.Kind.values()),
            Arbitraries.longs().between(0, 10_000_000),
            Arbitraries.integers().between(1, 30))
        .as((kind, window, cap) -> new MisfirePolicy(kind, Duration.ofMillis(window), cap, false));
  }

  @Provide
  Arbitrary<FireTimes> schedules() {
    Arbitrary<FireTimes> crons =
        Arbitraries.of("0 * * * * ?", "0 0/7 * * * ?", "30 0/2 1-2 * * ?", "0 0 2 * * ?")
            .map(MissedFiresTest::cron);
    Arbitrary<FireTimes> grids =
        Combinators.combine(
                Arbitraries.longs().between(20_000, 4_000_000), Arbitraries.longs().between(1, 200))
            .as((interval, times) -> new GridFireTimes(START.toEpochMilli(), interval, times));
    return Arbitraries.oneOf(crons, grids);
  }

  private static List<Instant> list(FireTimes times, Instant after, Instant before) {
    List<Instant> all = new ArrayList<>();
    Optional<Instant> next = times.nextAfter(after);
    while (next.isPresent() && next.get().isBefore(before)) {
      all.add(next.get());
      next = times.nextAfter(next.get());
    }
    return all;
  }

  private static MissedFires decide(
      FireTimes times, Instant after, Instant before, MisfirePolicy policy) {
    return decide(times, after, before, policy, before);
  }

  private static MissedFires decide(
      FireTimes times, Instant after, Instant before, MisfirePolicy policy, Instant now) {
    return MissedFires.decide(times, after, before, policy, now, PLENTY);
  }

  private static FireTimes minutely() {
    return FireTimes.of(
        new Schedule.Repeat(Duration.ofMinutes(1), START, null), START, ZoneId.of("UTC"));
  }

  private static FireTimes cron(String text) {
    return FireTimes.of(new Schedule.Cron(text, null), START, ZoneId.of("America/New_York"));
  }

  private static Instant minute(int number) {
    return START.plus(Duration.ofMinutes(number));
  }
}
