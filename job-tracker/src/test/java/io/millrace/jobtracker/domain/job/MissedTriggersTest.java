package io.millrace.jobtracker.domain.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.MisfirePolicy;
import io.millrace.api.RetryPolicy;
import io.millrace.api.Schedule;
import io.millrace.jobtracker.domain.schedule.FireTimes;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.domain.schedule.MissedAt;
import io.millrace.jobtracker.domain.schedule.MissedFires;
import io.millrace.jobtracker.domain.schedule.SkippedRange;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class MissedTriggersTest {
  private static final long START = Instant.parse("2026-03-02T10:00:00Z").toEpochMilli();
  private static final long MINUTE = 60_000;
  private static final long HOUR = 60 * MINUTE;
  private static final GenerationLimits LIMITS = GenerationLimits.DEFAULT;
  private static final long THRESHOLD = LIMITS.misfireThreshold().toMillis();
  private static final Schedule MINUTELY =
      new Schedule.Repeat(Duration.ofMinutes(1), Instant.ofEpochMilli(START), null);
  private static final Schedule HOURLY =
      new Schedule.Repeat(Duration.ofHours(1), Instant.ofEpochMilli(START), null);

  @Test
  void latestThatIsDueStandsForAllBeforeIt() {
    MissedTriggers decided = decide(MisfirePolicy.latest(), START + 5 * MINUTE, 0, 1, 2, 3, 4, 5);

    assertThat(minutes(decided.skipped())).containsExactly(0, 1, 2, 3, 4);
    assertThat(decided.runUntil()).as("minute 5 is not missed").isEmpty();
  }

  @Test
  void latestThatIsDueStandsForThemWhetherItWaitsOrHasBeenDrawn() {
    for (long now : List.of(START + 5 * MINUTE, START + 5 * MINUTE + 59_999)) {
      assertThat(minutes(decide(MisfirePolicy.latest(), now, 3, 4).skipped()))
          .containsExactly(3, 4);
    }
    long late = START + 3 * HOUR + THRESHOLD + 1;

    assertThat(decideHourly(MisfirePolicy.latest(), late, 0, 1, 2).skipped()).hasSize(3);
  }

  @Test
  void latestThatIsLateRunsUntilTheNextOneIsDue() {
    MisfirePolicy policy = MisfirePolicy.latest().within(Duration.ofHours(2));
    long now = START + 4 * HOUR + THRESHOLD + 1;

    MissedTriggers decided = decideHourly(policy, now, 0, 1, 2, 3, 4);

    assertThat(decided.skipped()).hasSize(4);
    assertThat(decided.runUntil()).hasSize(1).containsEntry(4L, START + 5 * HOUR - 1);
  }

  @Test
  void latestRunsNoLongerThanItsWindow() {
    MisfirePolicy policy = MisfirePolicy.latest().within(Duration.ofSeconds(90));

    assertThat(decideHourly(policy, START + 90_000, 0).runUntil())
        .containsEntry(0L, START + 90_000);
    assertThat(decideHourly(policy, START + 90_001, 0).skipped()).hasSize(1);
  }

  @Test
  void withNoneNothingThatWasMissedRuns() {
    assertThat(minutes(decide(MisfirePolicy.none(), START + 2 * MINUTE, 0, 1, 2).skipped()))
        .containsExactly(0, 1);
    assertThat(decideHourly(MisfirePolicy.none(), START + THRESHOLD, 0).skipped()).isEmpty();
    assertThat(decideHourly(MisfirePolicy.none(), START + THRESHOLD + 1, 0).skipped()).hasSize(1);
  }

  @Test
  void eachOfAllRunsUntilThereIsNoRoomForItAnyMore() {
    long now = START + MINUTE + THRESHOLD + 1;

    MissedTriggers decided = decide(MisfirePolicy.all().atMost(3), now, 0, 1);

    assertThat(decided.skipped()).isEmpty();
    assertThat(decided.runUntil())
        .containsEntry(0L, START + 4 * MINUTE - 1)
        .containsEntry(1L, START + 5 * MINUTE - 1);
  }

  @Test
  void capIsBoundedByWhatOnePlanHolds() {
    GenerationLimits two =
        new GenerationLimits(Duration.ofMinutes(10), 60, 2, Duration.ofSeconds(60));

    MissedTriggers decided =
        MissedTriggers.decide(
            job(MINUTELY, MisfirePolicy.all(), false),
            times(MINUTELY),
            rows(0, 1, 2),
            two,
            START + 10 * MINUTE);

    assertThat(minutes(decided.skipped())).containsExactly(0);
  }

  @Test
  void oneLiveTriggerOfAChainedJobHasNoSuccessorThatCouldTakeItsPlace() {
    MissedTriggers decided =
        MissedTriggers.decide(
            job(MINUTELY, MisfirePolicy.latest(), true),
            times(MINUTELY),
            rows(0),
            LIMITS,
            START + 10 * MINUTE);

    assertThat(decided.runUntil()).containsEntry(0L, START + HOUR);
  }

  @Test
  void withNoneTheOneLiveTriggerOfAChainedJobIsMissedWhenTheNextFireTimeIsDue() {
    JobDefinition job = job(MINUTELY, MisfirePolicy.none(), true);
    FireTimes times = times(MINUTELY);

    assertThat(MissedTriggers.decide(job, times, rows(0), LIMITS, START + MINUTE - 1).skipped())
        .isEmpty();
    assertThat(MissedTriggers.decide(job, times, rows(0), LIMITS, START + MINUTE).skipped())
        .hasSize(1);
  }

  @Test
  void ofMoreThanCouldBeReadTheOldestAreSkippedAsFarAsThatIsCertain() {
    MissedTriggers decided =
        MissedTriggers.decideOldest(
            job(MINUTELY, MisfirePolicy.all().atMost(2), false), rows(0, 1, 2, 3, 4), LIMITS);

    assertThat(minutes(decided.skipped()))
        .as("two may run, and one may be in time")
        .containsExactly(0, 1);
    assertThat(decided.runUntil()).isEmpty();
  }

  @Test
  void skippedOnesThatFollowOneAnotherAreOneRangeAndOthersAreNot() {
    MissedTriggers decided = decide(MisfirePolicy.none(), START + 10 * MINUTE, 0, 1, 2, 5, 7, 8);

    assertThat(decided.ranges(times(MINUTELY)))
        .containsExactly(range(0, 2, 3), range(5, 5, 1), range(7, 8, 2));
  }

  @Property(tries = 500)
  void waitingTriggersEndAsFireTimesWithoutTriggersDo(
      @ForAll("policies") MisfirePolicy policy,
      @ForAll("schedules") Schedule schedule,
      @ForAll @LongRange(min = 0, max = 7_200_000) long age) {
    FireTimes times = times(schedule);
    long now = START + age;
    MissedAt missedAt = MissedAt.of(times, policy, LIMITS, now);

    MissedTriggers triggers = decide(job(schedule, policy, false), times, now);
    MissedFires fires =
        MissedFires.decide(
            times,
            Instant.ofEpochMilli(START - 1),
            Instant.ofEpochMilli(missedAt.before()),
            missedAt.policy(),
            Instant.ofEpochMilli(now),
            10_000);

    SkippedRange skipped = fires.skipped();
    assertThat(triggers.ranges(times)).isEqualTo(skipped == null ? List.of() : List.of(skipped));
    assertThat(triggers.runUntil().keySet())
        .containsExactlyInAnyOrderElementsOf(
            fires.run().stream().map(Instant::toEpochMilli).toList());
  }

  /** The rule as docs/scheduling.md has it, said once more. */
  @Property(tries = 1000)
  void decisionIsThatOfTheRule(
      @ForAll("policies") MisfirePolicy policy,
      @ForAll("schedules") Schedule schedule,
      @ForAll @LongRange(min = 0, max = 7_200_000) long age) {
    FireTimes times = times(schedule);
    long now = START + age;
    List<Long> due = due(times, now);
    List<Long> missed =
        due.stream()
            .filter(
                at ->
                    now - at > THRESHOLD
                        || times
                            .nextAfter(Instant.ofEpochMilli(at))
                            .filter(next -> next.toEpochMilli() <= now)
                            .isPresent())
            .toList();
    boolean isAll = policy.kind() == MisfirePolicy.Kind.ALL;
    int most = isAll ? policy.cap() : policy.kind() == MisfirePolicy.Kind.NONE ? 0 : 1;
    List<Long> run =
        missed.subList(Math.max(0, missed.size() - most), missed.size()).stream()
            .filter(at -> now - at <= policy.window().toMillis())
            .filter(at -> isAll || at.equals(due.get(due.size() - 1)))
            .toList();

    MissedTriggers decided = decide(job(schedule, policy, false), times, now);

    assertThat(decided.runUntil().keySet()).containsExactlyInAnyOrderElementsOf(run);
    assertThat(decided.skipped())
        .extracting(WaitingTrigger::plannedFor)
        .containsExactlyElementsOf(missed.stream().filter(at -> !run.contains(at)).toList());
    assertThat(due.size() - missed.size()).as("not missed").isLessThanOrEqualTo(1);
    if (!isAll) {
      assertThat(due.size() - decided.skipped().size()).as("that run").isLessThanOrEqualTo(1);
    }
  }

  /** The promise of {@code runUntil}: up to that millisecond, deciding anew changes nothing. */
  @Property(tries = 500)
  void triggerMayRunAsLongAsAFreshDecisionWouldLetIt(
      @ForAll("policies") MisfirePolicy policy,
      @ForAll("schedules") Schedule schedule,
      @ForAll @LongRange(min = 0, max = 1_800_000) long age,
      @ForAll @LongRange(min = 0, max = 1_800_000) long later) {
    FireTimes times = times(schedule);
    JobDefinition job = job(schedule, policy, false);
    long now = START + THRESHOLD + age;
    MissedTriggers first = decide(job, times, now);

    for (long at : instantsToTry(first, now, later)) {
      MissedTriggers fresh = decide(job, times, at);
      first
          .runUntil()
          .forEach(
              (id, until) ->
                  assertThat(at <= until)
                      .as("%d at %d, allowed until %d", id, at, until)
                      .isEqualTo(fresh.runUntil().containsKey(id)));
    }
  }

  private static List<Long> instantsToTry(MissedTriggers decided, long now, long later) {
    List<Long> instants = new ArrayList<>(List.of(now, now + later));
    decided.runUntil().values().stream()
        .limit(20)
        .forEach(until -> instants.addAll(List.of(until, until + 1)));
    return instants;
  }

  @Provide
  Arbitrary<MisfirePolicy> policies() {
    return Combinators.combine(
            Arbitraries.of(MisfirePolicy.Kind.values()),
            Arbitraries.longs().between(0, 3_000_000),
            Arbitraries.integers().between(1, 30))
        .as((kind, window, cap) -> new MisfirePolicy(kind, Duration.ofMillis(window), cap, false));
  }

  @Provide
  Arbitrary<Schedule> schedules() {
    return Arbitraries.of(
        MINUTELY,
        HOURLY,
        new Schedule.Cron("0 0/7 * * * ?", null),
        new Schedule.Cron("10,40 1-20 10 * * ?", null),
        new Schedule.Repeat(Duration.ofMillis(12_345), Instant.ofEpochMilli(START + 17), 90L));
  }

  /** With every fire time so far still waiting, as if no worker had ever been free. */
  private static MissedTriggers decide(JobDefinition job, FireTimes times, long now) {
    List<WaitingTrigger> due =
        due(times, now).stream().map(at -> job.triggerFor(at, at, null, START)).toList();
    return MissedTriggers.decide(job, times, due, LIMITS, now);
  }

  private static List<Long> due(FireTimes times, long now) {
    List<Long> due = new ArrayList<>();
    Optional<Instant> next = times.nextAfter(Instant.ofEpochMilli(START - 1));
    while (next.isPresent() && next.get().toEpochMilli() <= now) {
      due.add(next.get().toEpochMilli());
      next = times.nextAfter(next.get());
    }
    return due;
  }

  private static MissedTriggers decideHourly(MisfirePolicy policy, long now, int... hours) {
    JobDefinition job = job(HOURLY, policy, false);
    List<WaitingTrigger> rows = new ArrayList<>();
    for (int hour : hours) {
      rows.add(job.triggerFor(hour, START + hour * HOUR, null, START));
    }
    return MissedTriggers.decide(job, times(HOURLY), rows, LIMITS, now);
  }

  private static MissedTriggers decide(MisfirePolicy policy, long now, int... minutes) {
    return MissedTriggers.decide(
        job(MINUTELY, policy, false), times(MINUTELY), rows(minutes), LIMITS, now);
  }

  private static List<WaitingTrigger> rows(int... minutes) {
    JobDefinition job = job(MINUTELY, MisfirePolicy.latest(), false);
    List<WaitingTrigger> rows = new ArrayList<>();
    for (int minute : minutes) {
      rows.add(job.triggerFor(minute, START + minute * MINUTE, null, START));
    }
    return rows;
  }

  private static List<Integer> minutes(List<WaitingTrigger> triggers) {
    return triggers.stream().map(row -> (int) ((row.plannedFor() - START) / MINUTE)).toList();
  }

  private static SkippedRange range(int from, int to, int count) {
    return new SkippedRange(
        Instant.ofEpochMilli(START + from * MINUTE),
        Instant.ofEpochMilli(START + to * MINUTE),
        count);
  }

  private static FireTimes times(Schedule schedule) {
    return FireTimes.of(schedule, Instant.ofEpochMilli(START), ZoneOffset.UTC);
  }

  private static JobDefinition job(Schedule schedule, MisfirePolicy misfire, boolean chained) {
    TriggerSpec spec =
        new TriggerSpec(
            null,
            RetryPolicy.DEFAULT,
            null,
            null,
            misfire,
            chained,
            false,
            "shop",
            "s-1",
            "client-1",
            null,
            null);
    return new JobDefinition(
        1,
        "orders",
        "poll",
        1,
        JobState.ACTIVE,
        schedule,
        spec,
        StoredParams.NONE,
        100,
        START,
        START - 1,
        START,
        0,
        false);
  }
}
