package io.millrace.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class PairedRatioTest {
  private static final double CLOSE = 1e-9;

  @Test
  void slowRoundOfBothDoesNotCount() {
    PairedRatio ratio = PairedRatio.of(List.of(110.0, 11.0, 220.0), List.of(100.0, 10.0, 200.0));

    assertThat(ratio.ratio()).isCloseTo(1.1, within(CLOSE));
    assertThat(ratio.low()).isCloseTo(1.1, within(CLOSE));
    assertThat(ratio.high()).isCloseTo(1.1, within(CLOSE));
  }

  @Test
  void roundsThatDisagreeMakeTheIntervalWide() {
    PairedRatio ratio = PairedRatio.of(List.of(200.0, 100.0), List.of(100.0, 200.0));

    assertThat(ratio.ratio()).isCloseTo(1, within(CLOSE));
    assertThat(ratio.low()).isCloseTo(0.5, within(CLOSE));
    assertThat(ratio.high()).isCloseTo(2, within(CLOSE));
  }

  @Test
  void roundsWithoutAPartnerAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PairedRatio.of(List.of(1.0), List.of()))
        .withMessage("1 rounds beside 0");
  }
}
