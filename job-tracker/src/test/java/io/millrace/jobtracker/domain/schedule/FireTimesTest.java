package io.millrace.jobtracker.domain.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class FireTimesTest {
  private static final ZoneId TOKYO = ZoneId.of("Asia/Tokyo");
  private static final Instant ACCEPTED = Instant.parse("2025-06-01T10:00:00.250900Z");
  private static final Instant ACCEPTED_MILLIS = Instant.parse("2025-06-01T10:00:00.250Z");
  private static final long LAST = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

  @Test
  void cronWithoutZoneIsInTheDefaultZone() {
    assertThat(of(new Schedule.Cron("@daily", null)).nextAfter(ACCEPTED))
        .contains(Instant.parse("2025-06-01T15:00:00Z"));
    assertThat(of(new Schedule.Cron("@daily", ZoneOffset.UTC)).nextAfter(ACCEPTED))
        .contains(Instant.parse("2025-06-02T00:00:00Z"));
  }

  @Test
  void firstFireTimeMayBeNow() {
    Instant midnight = Instant.parse("2025-06-01T15:00:00Z");

    assertThat(of(new Schedule.Cron("@daily", null)).first(midnight)).contains(midnight);
    assertThat(of(every(7, null)).first(ACCEPTED)).contains(ACCEPTED_MILLIS);
  }

  @Test
  void gridStartsAtTheMillisecondOfAcceptance() {
    FireTimes times = of(every(7, null));

    assertThat(times.nextAfter(ACCEPTED_MILLIS.minusMillis(1))).contains(ACCEPTED_MILLIS);
    assertThat(times.nextAfter(ACCEPTED_MILLIS)).contains(ACCEPTED_MILLIS.plusMillis(7));
    assertThat(times.nextAfter(ACCEPTED_MILLIS.plusMillis(6)))
        .contains(ACCEPTED_MILLIS.plusMillis(7));
  }

  @Test
  void timesBoundTheGridFromItsStart() {
    Instant start = ACCEPTED_MILLIS.minusMillis(20);
    FireTimes times = of(new Schedule.Repeat(Duration.ofMillis(10), start, 4L));

    assertThat(times.first(ACCEPTED_MILLIS)).contains(ACCEPTED_MILLIS);
    assertThat(times.nextAfter(ACCEPTED_MILLIS)).contains(ACCEPTED_MILLIS.plusMillis(10));
    assertThat(times.nextAfter(ACCEPTED_MILLIS.plusMillis(10))).isEmpty();
  }

  @Test
  void chainedGridStaysOnItsGridAndCountsTriggers() {
    FireTimes times = of(new Schedule.Repeat(Duration.ofMillis(10), null, 3L));

    assertThat(times.nextAfterEnd(ACCEPTED_MILLIS.plusMillis(42), 2))
        .contains(ACCEPTED_MILLIS.plusMillis(50));
    assertThat(times.nextAfterEnd(ACCEPTED_MILLIS.plusMillis(42), 3)).isEmpty();
  }

  @Test
  void chainedCronTakesTheNextFireTimeAfterTheEnd() {
    FireTimes times = of(new Schedule.Cron("0 0/5 * * * ?", null));

    assertThat(times.nextAfterEnd(Instant.parse("2025-06-01T10:11:00Z"), 1_000_000))
        .contains(Instant.parse("2025-06-01T10:15:00Z"));
  }

  @Test
  void fixedDelayCountsFromTheEndOfTheRun() {
    FireTimes times = of(new Schedule.FixedDelay(Duration.ofSeconds(5), null, 2L));

    assertThat(times.first(ACCEPTED)).contains(ACCEPTED_MILLIS);
    assertThat(times.nextAfterEnd(ACCEPTED.plusSeconds(3), 1))
        .contains(ACCEPTED_MILLIS.plusSeconds(8));
    assertThat(times.nextAfterEnd(ACCEPTED.plusSeconds(3), 2)).isEmpty();
  }

  @Test
  void fixedDelayWaitsForItsStartAndDoesNotMakeUpForOneThatIsPast() {
    Duration delay = Duration.ofSeconds(5);
    Instant later = ACCEPTED_MILLIS.plusSeconds(60);
    Instant earlier = ACCEPTED_MILLIS.minusSeconds(60);

    assertThat(of(new Schedule.FixedDelay(delay, later, null)).first(ACCEPTED)).contains(later);
    assertThat(of(new Schedule.FixedDelay(delay, earlier, null)).first(ACCEPTED))
        .contains(ACCEPTED_MILLIS);
  }

  @Test
  void oneShotFiresAtItsInstantEvenIfThatIsPast() {
    Instant past = ACCEPTED_MILLIS.minusSeconds(60);

    assertThat(of(new Schedule.Once(past, null)).first(ACCEPTED)).contains(past);
    assertThat(of(new Schedule.Once(past, null)).nextAfter(ACCEPTED)).isEmpty();
    assertThat(of(new Schedule.Once(null, Duration.ofSeconds(9))).first(ACCEPTED))
        .contains(ACCEPTED_MILLIS.plusSeconds(9));
    assertThat(of(new Schedule.Once(null, null)).first(ACCEPTED)).contains(ACCEPTED_MILLIS);
  }

  @Property
  void gridHasNoDriftAndNoGaps(
      @ForAll @LongRange(min = 0, max = 253_402_300_799_999L) long start,
      @ForAll @LongRange(min = 1, max = 3_155_760_000_000L) long interval,
      @ForAll @LongRange(min = 0, max = 253_402_300_799_999L) long after) {
    FireTimes times = new GridFireTimes(start, interval, Long.MAX_VALUE);
    Optional<Instant> next = times.nextAfter(Instant.ofEpochMilli(after));

    if (next.isPresent()) {
      long millis = next.get().toEpochMilli();
      assertThat(millis).isGreaterThan(after).isGreaterThanOrEqualTo(start);
      assertThat((millis - start) % interval).isZero();
      assertThat(millis - interval <= after || millis == start).isTrue();
    } else {
      assertThat(Math.max(start, after)).isGreaterThan(LAST - interval);
    }
  }

  @Property
  void fixedRateIsOnTheGridOfItsStartAfterYears(
      @ForAll @LongRange(min = 1, max = 86_400_000) long interval,
      @ForAll @LongRange(min = 0, max = 3_155_760_000_000L) long ageMillis) {
    FireTimes times = of(every(interval, null));
    Instant expected = ACCEPTED_MILLIS.plusMillis(ageMillis / interval * interval);

    assertThat(times.first(expected)).contains(expected);
    assertThat(times.nextAfter(expected)).contains(expected.plusMillis(interval));
    assertThat(times.nextAfterEnd(expected.plusMillis(interval - 1), 1))
        .contains(expected.plusMillis(interval));
  }

  @Property
  void intervalsBelowOneSecondNeverCollide(
      @ForAll @LongRange(min = 1, max = 999) long interval,
      @ForAll @LongRange(min = 1, max = 3_000) long times) {
    FireTimes grid = of(every(interval, times));
    Instant last = ACCEPTED_MILLIS.minusMillis(1);
    for (long k = 0; k < times; k++) {
      Instant next = grid.nextAfter(last).orElseThrow();
      assertThat(next.toEpochMilli()).isGreaterThan(last.toEpochMilli());
      last = next;
    }
    assertThat(last).isEqualTo(ACCEPTED_MILLIS.plusMillis((times - 1) * interval));
    assertThat(grid.nextAfter(last)).isEmpty();
  }

  @Property
  void countIsExactHoweverLong(
      @ForAll @LongRange(min = 1, max = 253_402_300_799_999L) long times,
      @ForAll @LongRange(min = 1, max = 253_402_300_799_999L) long start) {
    FireTimes grid = new GridFireTimes(start, 1, times);
    long fits = LAST - start;

    FireRun run = grid.runBetween(Instant.ofEpochMilli(start - 1), Instant.MAX, 1, 1);

    assertThat(run.count()).isEqualTo(Math.min(times, fits));
  }

  @Property
  void computedRunOfGridEqualsTheCountedOne(
      @ForAll @LongRange(min = 0, max = 300) long start,
      @ForAll @LongRange(min = 1, max = 40) long interval,
      @ForAll @LongRange(min = 1, max = 20) long times,
      @ForAll @LongRange(min = 0, max = 600) long after,
      @ForAll @LongRange(min = 0, max = 600_000) long beforeMicros,
      @ForAll @IntRange(max = 25) int keep) {
    FireTimes grid = new GridFireTimes(start, interval, times);
    Instant from = Instant.ofEpochMilli(after);
    Instant before = Instant.EPOCH.plusNanos(beforeMicros * 1000);

    assertThat(grid.runBetween(from, before, 1000, keep))
        .isEqualTo(FireRun.count(grid, from, before, 1000, keep));
  }

  private static Schedule every(long millis, Long times) {
    return new Schedule.Repeat(Duration.ofMillis(millis), null, times);
  }

  private static FireTimes of(Schedule schedule) {
    return FireTimes.of(schedule, ACCEPTED, TOKYO);
  }
}
