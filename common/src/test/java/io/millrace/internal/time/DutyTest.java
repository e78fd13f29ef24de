package io.millrace.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DutyTest {

  @Test
  void countingDutyNamesWhatItCounted() {
    Duty duty = Duty.counting("triggers generated", now -> now);

    assertThat(duty.runOnce(12)).hasToString("12 triggers generated");
  }

  @Test
  void passThatCountsZeroHasDoneNothing() {
    assertThat(Duty.counting("triggers generated", now -> 0).runOnce(12)).isNull();
  }
}
