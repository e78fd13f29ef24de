package io.millrace.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaceTest {

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT0.0009S", "P366D"})
  void periodOutsideItsBoundsIsRefused(Duration period) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Pace.every(period))
        .withMessageContaining(period.toString());
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.01, 1.01, Double.NaN})
  void jitterOutsideItsBoundsIsRefused(double jitter) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Pace(Duration.ofSeconds(1), jitter))
        .withMessageContaining(String.valueOf(jitter));
  }

  @Test
  void exactPaceHasNoJitter() {
    assertThat(Pace.exactly(Duration.ofSeconds(1)).jitter()).isZero();
    assertThat(Pace.every(Duration.ofSeconds(1)).jitter()).isEqualTo(Pace.DEFAULT_JITTER);
  }
}
