package io.millrace.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.LogCapture;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ManualTimerTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final long START_MILLIS = START.toEpochMilli();
  private static final Executor DIRECT = Runnable::run;

  private final ManualClock clock = new ManualClock(START);
  private final ManualTimer timer = new ManualTimer(clock);
  private final List<String> ran = new ArrayList<>();

  @Test
  void nothingRunsBeforeItsTime() {
    after(100, "a");

    timer.advance(Duration.ofNanos(99_999_999));
    assertThat(ran).isEmpty();

    timer.advance(Duration.ofNanos(1));
    assertThat(ran).containsExactly("a@100");
  }

  @Test
  void zeroDelayIsHandedOverAtOnce() {
    after(0, "now");

    assertThat(ran).containsExactly("now@0");
    assertThat(timer.pending()).isZero();
  }

  @Test
  void taskScheduledByATaskRunsInItsTurn() {
    timer.schedule(Duration.ofMillis(10), DIRECT, () -> after(5, "child"));
    after(12, "before");
    after(20, "later");

    timer.advance(Duration.ofMillis(30));

    assertThat(ran).containsExactly("before@12", "child@15", "later@20");
    assertThat(clock.millis()).isEqualTo(START_MILLIS + 30);
  }

  @Test
  void cancelledTaskNeverRuns() {
    Timer.Timeout timeout = after(10, "a");

    assertThat(timeout.cancel()).isTrue();
    assertThat(timeout.cancel()).isFalse();
    timer.advance(Duration.ofMillis(20));

    assertThat(ran).isEmpty();
  }

  @Test
  void taskHandedOverCannotBeCancelled() {
    Timer.Timeout timeout = after(10, "a");
    timer.advance(Duration.ofMillis(10));

    assertThat(timeout.cancel()).isFalse();
  }

  @Test
  void runNextMovesTheClockToOneTask() {
    after(10, "a");
    after(10, "b");
    assertThat(timer.nextDueMillis()).hasValue(START_MILLIS + 10);

    assertThat(timer.runNext()).isTrue();
    assertThat(ran).containsExactly("a@10");
    assertThat(timer.runNext()).isTrue();
    assertThat(ran).containsExactly("a@10", "b@10");

    assertThat(timer.runNext()).isFalse();
    assertThat(timer.nextDueMillis()).isEmpty();
    assertThat(clock.millis()).isEqualTo(START_MILLIS + 10);
  }

  @Test
  void nextDueIsWhatTheClockWillShowThen() {
    clock.advance(Duration.ofNanos(700_000));
    timer.schedule(Duration.ofNanos(400_000), DIRECT, () -> {});

    assertThat(timer.nextDueMillis()).hasValue(START_MILLIS + 1);
    timer.runNext();
    assertThat(clock.millis()).isEqualTo(START_MILLIS + 1);
  }

  @Test
  void setTimeOfDayMovesNoDueTime() {
    after(10, "a");
    clock.set(START.plusSeconds(3600));

    timer.advance(Duration.ofMillis(9));
    assertThat(ran).isEmpty();
    timer.advanceTo(START_MILLIS + 3_600_010);
    assertThat(ran).containsExactly("a@3600010");
  }

  @Test
  void overdueTaskIsHandedOverWithoutTurningTheClockBack() {
    after(10, "a");
    clock.advance(Duration.ofMillis(50));

    timer.advance(Duration.ZERO);

    assertThat(ran).containsExactly("a@50");
  }

  @Test
  void clockIsNotTurnedBack() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> timer.advanceTo(START_MILLIS - 1))
        .withMessageContaining(String.valueOf(START_MILLIS - 1));
    assertThatIllegalArgumentException().isThrownBy(() -> timer.advance(Duration.ofMillis(-1)));
  }

  @Test
  void refusingExecutorStopsNoOtherTask() {
    RunQueue refusing = new RunQueue();
    refusing.refuse(true);
    timer.schedule(Duration.ofMillis(1), refusing, () -> {});
    after(2, "b");

    try (LogCapture log = new LogCapture(ManualTimer.class)) {
      timer.advance(Duration.ofMillis(5));
      assertThat(log.lines()).singleElement().asString().startsWith("WARN").contains("rejected");
    }

    assertThat(ran).containsExactly("b@2");
  }

  @Test
  void whatATaskThrowsReachesWhoeverLetsTimePass() {
    timer.schedule(
        Duration.ofMillis(1),
        DIRECT,
        () -> {
          throw new IllegalStateException("broken");
        });

    assertThatThrownBy(() -> timer.advance(Duration.ofMillis(1))).hasMessage("broken");
  }

  @Test
  void longestDelayIsAsGoodAsNever() {
    timer.schedule(Duration.ofSeconds(Long.MAX_VALUE), DIRECT, () -> ran.add("never"));

    timer.advance(Duration.ofDays(3650));

    assertThat(ran).isEmpty();
    assertThat(timer.pending()).isOne();
  }

  @Property
  void tasksRunByDueTimeAndThenInTheOrderTheyWereScheduled(
      @ForAll @Size(max = 50) List<@IntRange(min = 1, max = 20) Integer> delays) {
    ManualTimer ordered = new ManualTimer(new ManualClock(START));
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < delays.size(); i++) {
      int index = i;
      ordered.schedule(Duration.ofMillis(delays.get(i)), DIRECT, () -> order.add(index));
    }

    ordered.advance(Duration.ofMillis(20));

    List<Integer> expected =
        IntStream.range(0, delays.size())
            .boxed()
            .sorted(Comparator.<Integer>comparingInt(delays::get).thenComparingInt(i -> i))
            .toList();
    assertThat(order).isEqualTo(expected);
  }

  private Timer.Timeout after(long millis, String task) {
    return timer.schedule(
        Duration.ofMillis(millis),
        DIRECT,
        () -> ran.add(task + "@" + (clock.millis() - START_MILLIS)));
  }
}
