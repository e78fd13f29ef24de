package io.millrace.jobtracker.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class BoundedFireTimesTest {
  private static final Instant NOON = Instant.parse("2025-06-01T12:00:00Z");
  private static final String EVERY_SECOND = "* * * * * ?";

  @Test
  void cronFiresFromItsStartUntilBeforeItsEnd() {
    FireTimes times =
        of(new Schedule.Cron(EVERY_SECOND, null, NOON.plusSeconds(60), NOON.plusSeconds(62)));

    assertThat(times.first(NOON)).contains(NOON.plusSeconds(60));
    assertThat(times.first(NOON.plusSeconds(61))).contains(NOON.plusSeconds(61));
    assertThat(times.first(NOON.plusSeconds(62))).isEmpty();
    assertThat(times.nextAfter(Instant.EPOCH)).contains(NOON.plusSeconds(60));
    assertThat(times.nextAfter(NOON.plusSeconds(60))).contains(NOON.plusSeconds(61));
    assertThat(times.nextAfter(NOON.plusSeconds(61))).isEmpty();
  }

  @Test
  void cronTakesTheFirstMatchAfterStartThatMatchesNothing() {
    FireTimes times = of(new Schedule.Cron("0 0/5 * * * ?", null, NOON.plusMillis(1), null));

    assertThat(times.first(NOON)).contains(NOON.plusSeconds(300));
    assertThat(times.nextAfter(Instant.EPOCH)).contains(NOON.plusSeconds(300));
  }

  @Test
  void startThatIsPastChangesNothing() {
    FireTimes times = of(new Schedule.Cron(EVERY_SECOND, null, NOON.minusSeconds(60), null));

    assertThat(times.first(NOON)).contains(NOON);
    assertThat(times.nextAfter(NOON)).contains(NOON.plusSeconds(1));
  }

  @Test
  void chainedCronKeepsToBothBounds() {
    FireTimes times =
        of(new Schedule.Cron(EVERY_SECOND, null, NOON.plusSeconds(60), NOON.plusSeconds(62)));

    assertThat(times.nextAfterEnd(NOON, 1)).contains(NOON.plusSeconds(60));
    assertThat(times.nextAfterEnd(NOON.plusSeconds(60), 1)).contains(NOON.plusSeconds(61));
    assertThat(times.nextAfterEnd(NOON.plusMillis(61_500), 2)).isEmpty();
  }

  @Test
  void endCutsTheGridAndLeavesTheCountExact() {
    Schedule schedule = new Schedule.Repeat(Duration.ofMillis(1), NOON, null, NOON.plusMillis(10));
    FireTimes times = of(schedule);

    assertThat(times.first(NOON.plusMillis(9))).contains(NOON.plusMillis(9));
    assertThat(times.first(NOON.plusMillis(10))).isEmpty();
    assertThat(times.nextAfter(NOON.plusMillis(9))).isEmpty();
    assertThat(times.runBetween(Instant.EPOCH, NOON.plusSeconds(3600), 1, 0).count()).isEqualTo(10);
  }

  @Test
  void runOfAnEndedGridOfCenturiesIsComputed() {
    Instant end = Instant.parse("9999-12-31T23:59:59.999Z");
    FireTimes times =
        of(new Schedule.Repeat(Duration.ofMillis(1), Instant.EPOCH.plusMillis(1), null, end));

    assertThat(times.runBetween(Instant.EPOCH, Instant.MAX, 1, 0).count())
        .isEqualTo(end.toEpochMilli() - 1);
  }

  @Test
  void chainedGridEndsWithItsCountOrItsEnd() {
    Instant end = NOON.plusMillis(50);
    FireTimes times = of(new Schedule.Repeat(Duration.ofMillis(10), null, 3L, end));

    assertThat(times.nextAfterEnd(NOON.plusMillis(31), 1)).contains(NOON.plusMillis(40));
    assertThat(times.nextAfterEnd(NOON.plusMillis(40), 1)).isEmpty();
    assertThat(times.nextAfterEnd(NOON.plusMillis(31), 3)).isEmpty();
  }

  @Test
  void fixedDelayFiresFirstAtItsStartAndNotAtItsEnd() {
    Instant start = NOON.plusSeconds(60);
    FireTimes times =
        of(new Schedule.FixedDelay(Duration.ofSeconds(5), start, null, start.plusSeconds(10)));

    assertThat(times.first(NOON)).contains(start);
    assertThat(times.first(start.plusSeconds(10))).isEmpty();
    assertThat(times.nextAfterEnd(start.plusMillis(4_999), 1)).contains(start.plusMillis(9_999));
    assertThat(times.nextAfterEnd(start.plusSeconds(5), 1)).isEmpty();
    assertThat(times.isForeseeable()).isFalse();
  }

  @Test
  void whatIsFinerThanMillisecondsIsCutOffTheBounds() {
    Instant end = NOON.plusMillis(20);
    FireTimes times =
        of(
            new Schedule.Repeat(
                Duration.ofMillis(10), NOON.plusNanos(999_999), null, end.plusNanos(999_999)));

    assertThat(all(times)).containsExactly(NOON, NOON.plusMillis(10));
  }

  @Property
  void boundsKeepExactlyWhatLiesBetweenThem(
      @ForAll @IntRange(min = 1, max = 40) int seconds,
      @ForAll @LongRange(min = -5_000, max = 120_000) long start,
      @ForAll @LongRange(min = -5_000, max = 120_000) long end,
      @ForAll @LongRange(min = -10_000, max = 130_000) long after,
      @ForAll @LongRange(min = -10_000, max = 130_000) long before) {
    FireTimes free = of(new Schedule.Cron("0/" + seconds + " * * * * ?", null));
    Instant from = NOON.plusMillis(start);
    Instant to = NOON.plusMillis(end);
    FireTimes times = BoundedFireTimes.until(to, BoundedFireTimes.from(from, free));

    List<Instant> expected = new ArrayList<>();
    Instant next = free.nextAfter(NOON.plusMillis(after)).orElseThrow();
    while (next.isBefore(NOON.plusMillis(before))) {
      if (!next.isBefore(from) && next.isBefore(to)) {
        expected.add(next);
      }
      next = free.nextAfter(next).orElseThrow();
    }

    FireRun run = times.runBetween(NOON.plusMillis(after), NOON.plusMillis(before), 1_000, 1_000);
    assertThat(run.kept()).isEqualTo(expected);
    assertThat(run.count()).isEqualTo(expected.size());
    assertThat(run)
        .isEqualTo(
            FireRun.count(times, NOON.plusMillis(after), NOON.plusMillis(before), 1_000, 1_000));
  }

  @Property
  void computedRunOfBoundedGridEqualsTheCountedOne(
      @ForAll @LongRange(min = 1, max = 300) long start,
      @ForAll @LongRange(min = 1, max = 40) long interval,
      @ForAll @LongRange(min = 0, max = 400) long end,
      @ForAll @LongRange(min = 0, max = 600) long after,
      @ForAll @LongRange(min = 0, max = 600) long before,
      @ForAll @IntRange(max = 30) int keep) {
    FireTimes grid =
        BoundedFireTimes.until(
            Instant.ofEpochMilli(end), new GridFireTimes(start, interval, Long.MAX_VALUE));
    Instant from = Instant.ofEpochMilli(after);
    Instant to = Instant.ofEpochMilli(before);

    assertThat(grid.runBetween(from, to, 1_000, keep))
        .isEqualTo(FireRun.count(grid, from, to, 1_000, keep));
  }

  private static List<Instant> all(FireTimes times) {
    List<Instant> all = new ArrayList<>();
    Optional<Instant> next = times.nextAfter(Instant.EPOCH);
    while (next.isPresent()) {
      all.add(next.get());
      next = times.nextAfter(next.get());
    }
    return all;
  }

  private static FireTimes of(Schedule schedule) {
    return FireTimes.of(schedule, NOON, ZoneOffset.UTC);
  }
}
