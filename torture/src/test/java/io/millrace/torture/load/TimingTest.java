package io.millrace.torture.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimingTest {

  @Test
  void cronFiresAtFullIntervals() {
    Timing timing = Timing.cron(10_500, 20_000, 5);

    assertThat(timing.grid(0, 100_000)).containsExactly(15_000L);
    assertThat(timing.mayPlan(15_000)).isTrue();
    assertThat(timing.mayPlan(15_001)).isFalse();
    assertThat(timing.mayPlan(20_000)).isFalse();
  }

  @Test
  void gridBeginsWhereItIsAskedFor() {
    Timing timing = new Timing(Timing.Kind.REPEAT, 1_000, 2_000, 300);

    assertThat(timing.grid(1_000, 1_900)).containsExactly(1_000L, 1_300L, 1_600L);
    assertThat(timing.grid(1_001, 9_000)).containsExactly(1_300L, 1_600L, 1_900L);
  }

  @Test
  void countBoundsTheGrid() {
    assertThat(Timing.counted(1_000, 300, 3).grid(0, 9_000))
        .containsExactly(1_000L, 1_300L, 1_600L);
  }

  @Test
  void fixedDelayCountsFromTheEnd() {
    Timing timing = new Timing(Timing.Kind.FIXED_DELAY, 1_000, 9_000, 300);

    assertThat(timing.afterEnd(1_000, 1_234)).isEqualTo(1_534);
    assertThat(timing.afterEnd(1_000, 999)).isEqualTo(1_300);
  }

  @Test
  void relyingGoesOnAtTheNextPointOfTheGrid() {
    Timing timing = new Timing(Timing.Kind.RELYING, 1_000, 9_000, 300);

    assertThat(timing.afterEnd(1_000, 1_299)).isEqualTo(1_300);
    assertThat(timing.afterEnd(1_000, 1_300)).isEqualTo(1_600);
    assertThat(timing.afterEnd(1_000, 999)).isEqualTo(1_300);
  }
}
