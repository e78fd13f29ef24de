package io.millrace.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.millrace.internal.time.ClockCorrection.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class DisciplinedClockTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final long START_MILLIS = START.toEpochMilli();
  private static final long AHEAD = 90_000;

  private final ManualClock base = new ManualClock(START);
  private final DisciplinedClock clock = new DisciplinedClock(base);

  @Test
  void followsItsBaseUntilTheFirstReading() {
    base.set(START.minusSeconds(5));

    assertThat(clock.now()).isEqualTo(START.minusSeconds(5));
  }

  @Test
  void firstReadingIsFollowedWhereverItLies() {
    ClockCorrection correction = clock.discipline(() -> START_MILLIS - AHEAD);

    assertThat(correction.kind()).isEqualTo(Kind.FIRST);
    assertThat(correction.error()).isEqualTo(Duration.ofMillis(-AHEAD));
    assertThat(clock.millis()).isEqualTo(START_MILLIS - AHEAD);
  }

  /** It may have been held up on its way back; but it may as well have been held up before. */
  @Test
  void firstReadingIsTheEarliestThatItCanBeNow() {
    ClockCorrection correction =
        clock.discipline(answerAfter(Duration.ofMillis(200), START_MILLIS));

    assertThat(correction.roundTrip()).isEqualTo(Duration.ofMillis(200));
    assertThat(clock.millis()).isEqualTo(START_MILLIS);
  }

  /** The authority was asked when the question arrived, after five seconds. */
  @Test
  void questionThatWasHeldUpDoesNotPutTheClockForward() {
    clock.discipline(() -> START_MILLIS);
    LongSupplier heldUp = answerAfter(Duration.ofSeconds(5), START_MILLIS + 5_001);

    ClockCorrection correction = clock.discipline(heldUp);

    assertThat(correction.kind()).isEqualTo(Kind.ADJUSTED);
    assertThat(correction.error()).isEqualTo(Duration.ofMillis(1));
    assertThat(clock.millis()).isEqualTo(START_MILLIS + 5_001);
  }

  @Test
  void clockThatIsAheadOfWhatCanBeTrueGoesBackToTheLatestThatCan() {
    clock.discipline(() -> START_MILLIS);
    LongSupplier slow = answerAfter(Duration.ofMillis(300), START_MILLIS - 1_000);

    ClockCorrection correction = clock.discipline(slow);

    assertThat(correction.kind()).isEqualTo(Kind.ADJUSTED);
    assertThat(correction.error()).isEqualTo(Duration.ofMillis(-999));
  }

  @Test
  void advancesByTheNanosecondLineOfItsBaseAndNotByItsTimeOfDay() {
    clock.discipline(() -> START_MILLIS + AHEAD);

    base.advance(Duration.ofSeconds(3));
    base.set(START.minusSeconds(1_000_000));

    assertThat(clock.millis()).isEqualTo(START_MILLIS + AHEAD + 3000);
    assertThat(clock.nanoTime()).isEqualTo(base.nanoTime());
  }

  @Test
  void standsStillRatherThanGoBackByASmallCorrection() {
    clock.discipline(() -> START_MILLIS);
    base.advance(Duration.ofSeconds(10));
    assertThat(clock.millis()).isEqualTo(START_MILLIS + 10_000);

    ClockCorrection correction = clock.discipline(() -> START_MILLIS + 9_599);

    assertThat(correction.kind()).isEqualTo(Kind.ADJUSTED);
    assertThat(correction.error()).isEqualTo(Duration.ofMillis(-400));
    assertThat(clock.millis()).isEqualTo(START_MILLIS + 10_000);
    base.advance(Duration.ofMillis(399));
    assertThat(clock.millis()).isEqualTo(START_MILLIS + 10_000);
    base.advance(Duration.ofMillis(2));
    assertThat(clock.millis()).isEqualTo(START_MILLIS + 10_001);
  }

  @Test
  void smallCorrectionForwardIsFollowedAtOnce() {
    clock.discipline(() -> START_MILLIS);

    assertThat(clock.discipline(() -> START_MILLIS + 40).kind()).isEqualTo(Kind.ADJUSTED);
    assertThat(clock.millis()).isEqualTo(START_MILLIS + 40);
  }

  @Test
  void stepOfTheAuthorityIsFollowedBackAndReported() {
    clock.discipline(() -> START_MILLIS);
    assertThat(clock.millis()).isEqualTo(START_MILLIS);

    ClockCorrection correction = clock.discipline(() -> START_MILLIS - 5001);

    assertThat(correction.kind()).isEqualTo(Kind.STEPPED);
    assertThat(correction.error()).isEqualTo(DisciplinedClock.STEP.negated());
    assertThat(clock.millis()).isEqualTo(START_MILLIS - 5000);
  }

  @Test
  void processThatDidNotRunFindsAStepForward() {
    clock.discipline(() -> START_MILLIS);

    assertThat(clock.discipline(() -> START_MILLIS + 3_600_000).kind()).isEqualTo(Kind.STEPPED);
    assertThat(clock.millis()).isEqualTo(START_MILLIS + 3_600_000);
  }

  @Test
  void slowAnswerThatProvesNothingChangesNothing() {
    clock.discipline(() -> START_MILLIS);

    // Read at the very start of the round trip.
    ClockCorrection correction = clock.discipline(answerAfter(Duration.ofSeconds(8), START_MILLIS));

    assertThat(correction.kind()).isEqualTo(Kind.AGREED);
    assertThat(correction.error()).isZero();
    assertThat(clock.millis()).isEqualTo(START_MILLIS + 8000);
  }

  @Test
  void authorityThatThrowsLeavesTheClockAsItWas() {
    clock.discipline(() -> START_MILLIS + AHEAD);

    assertThatThrownBy(
            () ->
                clock.discipline(
                    () -> {
                      throw new IllegalStateException("no database");
                    }))
        .hasMessage("no database");
    assertThat(clock.millis()).isEqualTo(START_MILLIS + AHEAD);
  }

  /** The base drifts by a share of its own time; each answer takes a while, in uneven halves. */
  @Property
  void staysWithADriftingAuthorityAndNeverGoesBack(
      @ForAll @IntRange(min = -5000, max = 5000) int driftPerMillion,
      @ForAll @Size(max = 40) List<@IntRange(min = 0, max = 30_000) Integer> waits,
      @ForAll @IntRange(min = 0, max = 200) int there,
      @ForAll @IntRange(min = 0, max = 200) int back) {
    ManualClock drifting = new ManualClock(START);
    DisciplinedClock followed = new DisciplinedClock(drifting);
    LongSupplier authority =
        () -> START_MILLIS + driftedMillis(drifting.nanoTime(), driftPerMillion);
    long latest = Long.MIN_VALUE;
    long worstDrift = 0;
    for (int wait : waits) {
      ClockCorrection correction =
          followed.discipline(
              () -> {
                drifting.advance(Duration.ofMillis(there));
                long read = authority.getAsLong();
                drifting.advance(Duration.ofMillis(back));
                return read;
              });
      assertThat(correction.kind()).isNotEqualTo(Kind.STEPPED);
      assertThat(followed.millis()).isGreaterThanOrEqualTo(latest);
      latest = followed.millis();

      drifting.advance(Duration.ofMillis(wait));
      assertThat(followed.millis()).isGreaterThanOrEqualTo(latest);
      latest = followed.millis();
      if (driftPerMillion >= 0) {
        assertThat(latest).as("not ahead").isLessThanOrEqualTo(authority.getAsLong());
      }
      // What drifted since the reading, and what still stands still for the drift before it.
      long drift = (wait + there + back) * Math.abs(driftPerMillion) / 1_000_000L;
      worstDrift = Math.max(worstDrift, drift);
      assertThat(latest)
          .isCloseTo(authority.getAsLong(), within(there + back + 2 * worstDrift + 3L));
    }
  }

  @Test
  void noReaderSeesTimeGoBackWhileItIsCorrected() {
    Clock machine = new SystemClock();
    DisciplinedClock shared = new DisciplinedClock(machine);
    shared.discipline(machine::millis);
    AtomicBoolean done = new AtomicBoolean();
    List<CompletableFuture<Long>> readers =
        IntStream.range(0, 3)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> worstStepBack(shared, done)))
            .toList();

    for (int i = 0; i < 20_000; i++) {
      shared.discipline(() -> machine.millis() + ThreadLocalRandom.current().nextInt(-50, 50));
    }
    done.set(true);

    assertThat(readers).allSatisfy(reader -> assertThat(reader.join()).isZero());
  }

  private static long worstStepBack(Clock clock, AtomicBoolean done) {
    long latest = clock.millis();
    long worst = 0;
    while (!done.get()) {
      long now = clock.millis();
      worst = Math.max(worst, latest - now);
      latest = now;
    }
    return worst;
  }

  private static long driftedMillis(long nanos, int driftPerMillion) {
    long drift = Math.floorDiv(nanos / 1000 * driftPerMillion, 1000);
    return Math.floorDiv(nanos + drift, 1_000_000L);
  }

  private LongSupplier answerAfter(Duration delay, long millis) {
    return () -> {
      base.advance(delay);
      return millis;
    };
  }
}
