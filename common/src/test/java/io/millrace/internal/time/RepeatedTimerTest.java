package io.millrace.internal.time;

import static io.millrace.internal.time.RepeatedTimerState.DESTROYED;
import static io.millrace.internal.time.RepeatedTimerState.DESTROYING;
import static io.millrace.internal.time.RepeatedTimerState.QUEUED;
import static io.millrace.internal.time.RepeatedTimerState.RUNNING;
import static io.millrace.internal.time.RepeatedTimerState.RUNNING_WOKEN;
import static io.millrace.internal.time.RepeatedTimerState.STOPPED;
import static io.millrace.internal.time.RepeatedTimerState.STOPPING;
import static io.millrace.internal.time.RepeatedTimerState.WAITING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.millrace.internal.LogCapture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RepeatedTimerTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualClock clock = new ManualClock(START);
  private final ManualTimer timer = new ManualTimer(clock);
  private final RunQueue executor = new RunQueue();
  private final LogCapture log = new LogCapture(RepeatedTimer.class);

  /** When each run began, in milliseconds from the start. */
  private final List<Long> runs = new ArrayList<>();

  /** What a run does, after it was noted. */
  private Duty inside = now -> null;

  private final RepeatedTimer repeated = repeated(Pace.exactly(SECOND), 1);

  @AfterEach
  void closeLog() {
    log.close();
  }

  @Test
  void firstRunComesOnePeriodAfterTheStartAndTheNextOnePeriodAfterItsEnd() {
    inside =
        now -> {
          clock.advance(Duration.ofMillis(300));
          return null;
        };
    repeated.start();
    assertThat(repeated.state()).isEqualTo(WAITING);

    pass(Duration.ofMillis(999));
    assertThat(runs).isEmpty();
    pass(Duration.ofMillis(1));
    pass(Duration.ofMillis(1000));

    assertThat(runs).containsExactly(1000L, 2300L);
  }

  @Test
  void startingTwiceStartsOnce() {
    repeated.start();
    repeated.start();
    pass(SECOND);

    assertThat(runs).containsExactly(1000L);
    assertThat(timer.pending()).isOne();
  }

  @Test
  void wakeRunsAtOnceAndThePeriodBeginsAnew() {
    repeated.start();
    pass(Duration.ofMillis(400));

    repeated.wake();
    assertThat(repeated.state()).isEqualTo(QUEUED);
    executor.runAll();
    pass(SECOND);

    assertThat(runs).containsExactly(400L, 1400L);
  }

  @Test
  void wakesBeforeARunBeginsShareIt() {
    repeated.start();
    repeated.wake();
    repeated.wake();
    repeated.wake();
    executor.runAll();

    assertThat(runs).containsExactly(0L);
    assertThat(repeated.state()).isEqualTo(WAITING);
  }

  @Test
  void wakeDuringARunIsAnsweredByOneFurtherRun() {
    List<RepeatedTimerState> seen = new ArrayList<>();
    inside =
        now -> {
          if (runs.size() == 1) {
            seen.add(repeated.state());
            repeated.wake();
            repeated.wake();
            seen.add(repeated.state());
          }
          return null;
        };
    repeated.start();
    repeated.wake();
    executor.runAll();

    assertThat(seen).containsExactly(RUNNING, RUNNING_WOKEN);
    assertThat(runs).containsExactly(0L, 0L);
    assertThat(repeated.state()).isEqualTo(WAITING);
  }

  @Test
  void wakeOfATimerThatIsNotStartedDoesNothing() {
    repeated.wake();
    executor.runAll();

    assertThat(repeated.state()).isEqualTo(STOPPED);
    assertThat(runs).isEmpty();
  }

  @Test
  void stoppedTimerRunsNoMoreUntilStartedAgain() {
    repeated.start();
    assertThat(repeated.stop()).isCompleted();
    assertThat(timer.pending()).isZero();
    pass(Duration.ofSeconds(5));
    assertThat(runs).isEmpty();

    repeated.start();
    pass(SECOND);
    assertThat(runs).containsExactly(6000L);
  }

  @Test
  void runHandedOverButNotBegunIsTakenBackByAStop() {
    repeated.start();
    timer.advance(SECOND);
    assertThat(repeated.state()).isEqualTo(QUEUED);

    assertThat(repeated.stop()).isCompleted();
    executor.runAll();

    assertThat(runs).isEmpty();
    assertThat(repeated.state()).isEqualTo(STOPPED);
  }

  @Test
  void runTakenBackDoesNotComeBackWithTheNextStart() {
    repeated.start();
    repeated.wake();
    repeated.stop();
    repeated.start();
    executor.runAll();
    assertThat(runs).isEmpty();

    pass(SECOND);
    assertThat(runs).containsExactly(1000L);
  }

  @Test
  void stopDuringARunLetsItFinishAndSaysWhen() {
    AtomicReference<CompletableFuture<Void>> stopped = new AtomicReference<>();
    inside =
        now -> {
          stopped.set(repeated.stop());
          assertThat(repeated.state()).isEqualTo(STOPPING);
          assertThat(stopped.get()).isNotDone();
          repeated.wake();
          return null;
        };
    repeated.start();
    pass(Duration.ofSeconds(10));

    assertThat(stopped.get()).isCompleted();
    assertThat(repeated.state()).isEqualTo(STOPPED);
    assertThat(runs).containsExactly(1000L);
  }

  @Test
  void startDuringTheLastRunTakesTheStopBack() {
    AtomicReference<CompletableFuture<Void>> stopped = new AtomicReference<>();
    inside =
        now -> {
          if (runs.size() == 1) {
            stopped.set(repeated.stop());
            repeated.start();
          }
          return null;
        };
    repeated.start();
    pass(SECOND);
    assertThat(stopped.get()).isCompleted();
    assertThat(repeated.state()).isEqualTo(WAITING);

    pass(SECOND);
    assertThat(runs).containsExactly(1000L, 2000L);
  }

  @Test
  void destroyedTimerCannotBeStarted() {
    repeated.start();
    assertThat(repeated.destroy()).isCompleted();
    assertThat(repeated.destroy()).isCompleted();
    assertThat(repeated.stop()).isCompleted();
    repeated.wake();
    pass(Duration.ofSeconds(5));

    assertThat(repeated.state()).isEqualTo(DESTROYED);
    assertThat(runs).isEmpty();
    assertThatIllegalStateException().isThrownBy(repeated::start).withMessageContaining("sweep");
  }

  @Test
  void destroyDuringARunLetsItFinish() {
    inside =
        now -> {
          repeated.stop();
          assertThat(repeated.destroy()).isNotDone();
          assertThat(repeated.stop()).isNotDone();
          assertThat(repeated.state()).isEqualTo(DESTROYING);
          return null;
        };
    repeated.start();
    pass(SECOND);

    assertThat(repeated.state()).isEqualTo(DESTROYED);
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void survivesWhateverTheDutyThrowsAndNamesItself() {
    inside =
        now -> {
          if (runs.size() == 1) {
            throw new IllegalStateException("broken");
          }
          throw new StackOverflowError();
        };
    repeated.start();
    pass(SECOND);
    pass(SECOND);

    assertThat(runs).containsExactly(1000L, 2000L);
    assertThat(repeated.state()).isEqualTo(WAITING);
    assertThat(log.lines())
        .containsExactly("ERROR sweep: a run failed", "ERROR sweep: a run failed");
  }

  @Test
  void repeatedFailuresDoubleTheWaitUpToABound() {
    inside =
        now -> {
          throw new IllegalStateException("broken");
        };
    repeated.start();
    pass(Duration.ofSeconds(123));

    assertThat(runs)
        .containsExactly(
            1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 32_000L, 62_000L, 92_000L, 122_000L);
  }

  @Test
  void periodLongerThanTheBoundIsNotStretchedByFailures() {
    Duration hour = Duration.ofHours(1);
    inside =
        now -> {
          throw new IllegalStateException("broken");
        };
    RepeatedTimer hourly = repeated(Pace.exactly(hour), 1);
    hourly.start();
    pass(Duration.ofHours(3));

    assertThat(runs).containsExactly(3_600_000L, 7_200_000L, 10_800_000L);
  }

  @Test
  void successAfterFailuresReturnsToThePeriodAndSaysSo() {
    inside =
        now -> {
          if (runs.size() <= 3) {
            throw new IllegalStateException("broken");
          }
          return null;
        };
    repeated.start();
    pass(Duration.ofSeconds(10));

    assertThat(runs).containsExactly(1000L, 2000L, 4000L, 8000L, 9000L, 10000L);
    assertThat(log.lines()).endsWith("INFO sweep: succeeded again after 3 failures");
  }

  @Test
  void wakeCutsTheWaitAfterFailuresShortDownToARest() {
    inside =
        now -> {
          throw new IllegalStateException("broken");
        };
    repeated.start();
    pass(Duration.ofSeconds(8));
    assertThat(runs).endsWith(8000L);

    repeated.wake();
    executor.runAll();
    pass(Duration.ofMillis(60));
    repeated.wake();
    pass(Duration.ofMillis(39));
    assertThat(runs).endsWith(8000L);
    pass(Duration.ofMillis(1));
    assertThat(runs).endsWith(8100L);

    pass(Duration.ofMillis(500));
    repeated.wake();
    executor.runAll();
    assertThat(runs).endsWith(8600L);
  }

  @Test
  void failingDutyThatWakesItselfRestsBetweenRuns() {
    inside =
        now -> {
          repeated.wake();
          throw new IllegalStateException("broken");
        };
    repeated.start();
    repeated.wake();
    executor.runAll();
    pass(Duration.ofMillis(250));

    assertThat(runs).containsExactly(0L, 100L, 200L);
  }

  @Test
  void refusedRunIsAskedForAgainSoonerThanAPeriodAndEverLessOften() {
    executor.refuse(true);
    repeated.start();
    // Refused after 1000 ms, and again 100, 200 and 400 ms later.
    pass(Duration.ofMillis(1350));
    assertThat(repeated.state()).isEqualTo(WAITING);
    assertThat(log.lines()).hasSize(3).allMatch(line -> line.startsWith("WARN sweep: "));

    executor.refuse(false);
    pass(Duration.ofMillis(400));

    assertThat(runs).containsExactly(1700L);
  }

  @Test
  void timerClosedUnderItLeavesOnlyTheWake() {
    WheelTimer wheel = new WheelTimer("closed-under-it");
    RepeatedTimer orphan =
        new RepeatedTimer(
            "sweep", wheel, executor, clock, Pace.exactly(SECOND), new Random(1), this::run);
    orphan.start();
    wheel.close();

    orphan.wake();
    executor.runAll();
    orphan.wake();
    executor.runAll();

    assertThat(runs).hasSize(2);
    assertThat(log.lines()).hasSize(2).allMatch(line -> line.contains("only a wake-up"));
  }

  @Test
  void logsWhatWasDoneAndNothingWhenNothingWas() {
    inside = now -> runs.size() == 2 ? "3 executions rescued" : null;
    repeated.start();
    pass(Duration.ofSeconds(4));

    assertThat(runs).hasSize(4);
    assertThat(log.lines()).containsExactly("INFO sweep: 3 executions rescued");
  }

  @Test
  void dutyIsToldTheClocksTime() {
    clock.set(START.plusSeconds(86_400));
    repeated.start();
    pass(SECOND);

    assertThat(runs).containsExactly(86_401_000L);
  }

  @Test
  void jitterSpreadsTheWaitsAroundThePeriodAndEqualSeedsSpreadThemEqually() {
    List<Long> first = gaps(new Pace(SECOND, 0.2), 42);
    List<Long> second = gaps(new Pace(SECOND, 0.2), 42);

    assertThat(first).isEqualTo(second);
    assertThat(first).allSatisfy(gap -> assertThat(gap).isBetween(800L, 1201L));
    assertThat(first).anyMatch(gap -> gap < 900).anyMatch(gap -> gap > 1100);
  }

  private List<Long> gaps(Pace pace, long seed) {
    runs.clear();
    long begin = clock.millis() - START.toEpochMilli();
    RepeatedTimer jittered = repeated(pace, seed);
    jittered.start();
    pass(Duration.ofSeconds(100));
    jittered.destroy();
    List<Long> gaps = new ArrayList<>();
    long previous = begin;
    for (long at : runs) {
      gaps.add(at - previous);
      previous = at;
    }
    return gaps;
  }

  private RepeatedTimer repeated(Pace pace, long seed) {
    return new RepeatedTimer("sweep", timer, executor, clock, pace, new Random(seed), this::run);
  }

  private Object run(long now) {
    runs.add(now - START.toEpochMilli());
    return inside.runOnce(now);
  }

  /** Lets time pass and runs what falls due in it at the very time it does. */
  private void pass(Duration duration) {
    long end = clock.nanoTime() + duration.toNanos();
    executor.runAll();
    while (timer.nextDueMillis().isPresent()
        && timer.nextDueMillis().getAsLong()
            <= clock.millis() + (end - clock.nanoTime()) / 1_000_000) {
      timer.runNext();
      executor.runAll();
    }
    timer.advance(Duration.ofNanos(Math.max(0, end - clock.nanoTime())));
    executor.runAll();
  }
}
