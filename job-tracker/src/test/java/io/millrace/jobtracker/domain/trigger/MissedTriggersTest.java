package io.millrace.jobtracker.domain.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.common.model.MisfirePolicy;
import io.millrace.common.model.RetryPolicy;
import io.millrace.common.model.Schedule;
import io.millrace.jobtracker.domain.schedule.FireTimes;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.jobtracker.domain.schedule.MissedFires;
import io.millrace.jobtracker.domain.schedule.SkippedRange;
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
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class MissedTriggersTest {
  private static final long START = Instant.parse("2026-03-02T10:00:00Z").toEpochMilli();
  private static final long MINUTE = 60_000;
  private static final GenerationLimits LIMITS = GenerationLimits.DEFAULT;
  private static final long THRESHOLD = LIMITS.misfireThreshold().toMillis();
  private static final Schedule MINUTELY =
      new Schedule.Repeat(Duration.ofMinutes(1), Instant.ofEpochMilli(START), null);

  @Test
  void latestRunsUntilTheNextOneIsMissed() {
    long now = START + 4 * MINUTE + THRESHOLD + 1;

    MissedTriggers decided = decide(MisfirePolicy.latest(), now, 0, 1, 2, 3, 4);

    assertThat(minutes(decided.skipped())).containsExactly(0, 1, 2, 3);
    assertThat(decided.runUntil()).hasSize(1).containsEntry(4L, START + 5 * MINUTE + THRESHOLD);
  }

  @Test
  void latestRunsNoLongerThanItsWindow() {
    MisfirePolicy policy = MisfirePolicy.latest().within(Duration.ofSeconds(90));

    assertThat(decide(policy, START + 90_000, 0).runUntil()).containsEntry(0L, START + 90_000);
    assertThat(decide(policy, START + 90_001, 0).skipped()).hasSize(1);
  }

  @Test
  void eachOfAllRunsUntilThereIsNoRoomForItAnyMore() {
    long now = START + MINUTE + THRESHOLD + 1;

    MissedTriggers decided = decide(MisfirePolicy.all().atMost(3), now, 0, 1);

    assertThat(decided.skipped()).isEmpty();
    assertThat(decided.runUntil())
        .containsEntry(0L, START + 3 * MINUTE + THRESHOLD)
        .containsEntry(1L, START + 4 * MINUTE + THRESHOLD);
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

    assertThat(decided.runUntil()).containsEntry(0L, START + Duration.ofHours(1).toMillis());
  }

  @Test
  void ofMoreThanCouldBeReadTheOldestAreSkippedAsFarAsThatIsCertain() {
    MissedTriggers decided =
        MissedTriggers.decideOldest(
            job(MINUTELY, MisfirePolicy.all().atMost(2), false), rows(0, 1, 2, 3, 4), LIMITS);

    assertThat(minutes(decided.skipped())).containsExactly(0, 1, 2);
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
      @ForAll @IntRange(min = 1, max = 60) int count,
      @ForAll @LongRange(min = 0, max = 7_200_000) long late) {
    long missedBefore = START + count * MINUTE;
    long now = missedBefore + THRESHOLD + late;
    int[] all = new int[count];
    for (int i = 0; i < count; i++) {
      all[i] = i;
    }

    MissedTriggers triggers = decide(policy, now, all);
    MissedFires fires =
        MissedFires.decide(
            times(MINUTELY),
            Instant.ofEpochMilli(START - 1),
            Instant.ofEpochMilli(missedBefore),
            policy,
            Instant.ofEpochMilli(now),
            10_000);

    SkippedRange skipped = fires.skipped();
    assertThat(triggers.ranges(times(MINUTELY)))
        .isEqualTo(skipped == null ? List.of() : List.of(skipped));
    assertThat(triggers.runUntil()).hasSize(fires.run().size());
    assertThat(triggers.skipped().size() + triggers.runUntil().size()).isEqualTo(count);
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
        new Schedule.Cron("0 0/7 * * * ?", null),
        new Schedule.Cron("10,40 1-20 10 * * ?", null),
        new Schedule.Repeat(Duration.ofMillis(12_345), Instant.ofEpochMilli(START + 17), 90L));
  }

  /** With every fire time so far still waiting, as if no worker had ever been free. */
  private static MissedTriggers decide(JobDefinition job, FireTimes times, long now) {
    List<WaitingTrigger> missed = new ArrayList<>();
    Optional<Instant> next = times.nextAfter(Instant.ofEpochMilli(START - 1));
    while (next.isPresent() && next.get().toEpochMilli() < LIMITS.missedBefore(now)) {
      long at = next.get().toEpochMilli();
      missed.add(job.triggerFor(at, at, START));
      next = times.nextAfter(next.get());
    }
    return MissedTriggers.decide(job, times, missed, LIMITS, now);
  }

  private static MissedTriggers decide(MisfirePolicy policy, long now, int... minutes) {
    return MissedTriggers.decide(
        job(MINUTELY, policy, false), times(MINUTELY), rows(minutes), LIMITS, now);
  }

  private static List<WaitingTrigger> rows(int... minutes) {
    JobDefinition job = job(MINUTELY, MisfirePolicy.latest(), false);
    List<WaitingTrigger> rows = new ArrayList<>();
    for (int minute : minutes) {
      rows.add(job.triggerFor(minute, START + minute * MINUTE, START));
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
            "client-1");
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
