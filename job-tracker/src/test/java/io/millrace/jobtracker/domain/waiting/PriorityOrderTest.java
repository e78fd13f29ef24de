package io.millrace.jobtracker.domain.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.domain.trigger.SampleTriggers;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class PriorityOrderTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final PriorityOrder AGEING = PriorityOrder.ageing(MINUTE);
  private static final long LATEST = 253_402_300_799_999L;

  @Test
  void triggerOvertakesAHigherPriorityThatFallsDueOneDurationLaterForEachLevel() {
    WaitingTrigger low = SampleTriggers.oneShot(1, 103, 0);

    assertThat(AGEING.compare(low, SampleTriggers.oneShot(2, 100, 179_999))).isPositive();
    assertThat(AGEING.compare(low, SampleTriggers.oneShot(2, 100, 180_001))).isNegative();
    assertThat(AGEING.compare(low, SampleTriggers.oneShot(2, 100, 180_000)))
        .as("at the same moment the higher priority goes first")
        .isPositive();
    assertThat(PriorityOrder.STRICT.compare(low, SampleTriggers.oneShot(2, 100, LATEST)))
        .as("never, if nothing ages")
        .isPositive();
  }

  @Property
  void amongTriggersOfOnePriorityAgeChangesNothing(
      @ForAll @IntRange(max = 255) int priority,
      @ForAll @IntRange(max = 9) int dueA,
      @ForAll @IntRange(max = 9) int dueB) {
    WaitingTrigger a = SampleTriggers.oneShot(1, priority, dueA);
    WaitingTrigger b = SampleTriggers.oneShot(2, priority, dueB);

    assertThat(AGEING.compare(a, b)).isEqualTo(PriorityOrder.STRICT.compare(a, b));
  }

  /** The rule as it reads: at any moment at which both are due, the better level goes first. */
  @Property
  void orderIsThatOfTheLevelsReachedAtWhateverMoment(
      @ForAll @LongRange(min = 1, max = 31_536_000_000L) long millisPerLevel,
      @ForAll @IntRange(max = 255) int priorityA,
      @ForAll @IntRange(max = 255) int priorityB,
      @ForAll @LongRange(max = 253_402_300_799_999L) long dueA,
      @ForAll @LongRange(max = 253_402_300_799_999L) long dueB,
      @ForAll @LongRange(max = 1_000_000_000_000L) long waited) {
    PriorityOrder order = PriorityOrder.ageing(Duration.ofMillis(millisPerLevel));
    long now = Math.max(dueA, dueB) + waited;
    int byLevel =
        levelNow(priorityA, dueA, now, millisPerLevel)
            .compareTo(levelNow(priorityB, dueB, now, millisPerLevel));

    int compared =
        order.compare(
            SampleTriggers.oneShot(1, priorityA, dueA), SampleTriggers.oneShot(2, priorityB, dueB));

    if (byLevel != 0) {
      assertThat(Integer.signum(compared)).isEqualTo(byLevel);
    }
  }

  private static BigDecimal levelNow(int priority, long dueAt, long now, long millisPerLevel) {
    BigDecimal gained =
        BigDecimal.valueOf(now - dueAt)
            .divide(BigDecimal.valueOf(millisPerLevel), new MathContext(60));
    return BigDecimal.valueOf(priority).subtract(gained);
  }

  @Property
  void orderIsTotal(
      @ForAll List<@IntRange(max = 3) Integer> priorities,
      @ForAll List<@IntRange(max = 3) Integer> dueTimes,
      @ForAll @IntRange(max = 2) int millisPerLevel) {
    PriorityOrder order =
        millisPerLevel == 0
            ? PriorityOrder.STRICT
            : PriorityOrder.ageing(Duration.ofMillis(millisPerLevel));
    List<WaitingTrigger> rows = new ArrayList<>();
    for (int i = 0; i < Math.min(8, Math.min(priorities.size(), dueTimes.size())); i++) {
      rows.add(SampleTriggers.oneShot(i, priorities.get(i), dueTimes.get(i)));
    }
    for (WaitingTrigger a : rows) {
      for (WaitingTrigger b : rows) {
        assertThat(order.compare(a, b) == 0).isEqualTo(a.id() == b.id());
        assertThat(Integer.signum(order.compare(a, b)))
            .isEqualTo(-Integer.signum(order.compare(b, a)));
        for (WaitingTrigger c : rows) {
          if (order.compare(a, b) < 0 && order.compare(b, c) < 0) {
            assertThat(order.compare(a, c)).isNegative();
          }
        }
      }
    }
  }

  @Test
  void ageingOutOfItsBoundsIsRefusedWithTheValue() {
    for (Duration perLevel : List.of(Duration.ZERO, Duration.ofDays(366))) {
      assertThatThrownBy(() -> PriorityOrder.ageing(perLevel))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(perLevel.toString());
    }
  }
}
