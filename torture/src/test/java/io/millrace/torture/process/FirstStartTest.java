package io.millrace.torture.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FirstStartTest {
  private static final int SEEDS = 100;

  @Test
  void equalSeedsDoTheSame() {
    assertThat(FirstStart.of(7, 2))
        .isEqualTo(FirstStart.of(7, 2))
        .isNotEqualTo(FirstStart.of(9, 2));
  }

  @Test
  void everyStartIsHurtAndSomeFindOlderTables() {
    assertThat(LongStream.range(0, SEEDS).mapToObj(seed -> FirstStart.of(seed, 2)))
        .allSatisfy(
            start ->
                assertThat(start.kills())
                    .isNotEmpty()
                    .allSatisfy(kill -> assertThat(kill.tracker()).isBetween(1, 2)))
        .anyMatch(start -> start.olderVersion() == 0)
        .anyMatch(start -> start.olderVersion() > 0);
  }

  @Test
  void anUndisturbedStartHurtsNone() {
    assertThat(FirstStart.undisturbed()).isEqualTo(new FirstStart(0, List.of(), true));
    assertThat(FirstStart.inTurn()).isEqualTo(new FirstStart(0, List.of(), false));
  }
}
