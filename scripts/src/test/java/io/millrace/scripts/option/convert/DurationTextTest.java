package io.millrace.scripts.option.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "0s, PT0S",
    "10s, PT10S",
    "5m, PT5M",
    "1h, PT1H",
    "2d, PT48H",
    "5M, PT5M",
    "PT1M30S, PT1M30S",
    "pt0.25s, PT0.25S"
  })
  void readsNumbersWithUnitsAndIso(String text, Duration expected) {
    assertThat(DurationText.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "s", "1.5s", "5 s", "-5s", "PT-1S", "5w", "999999999999999999d"})
  void refusesTheRestAndNamesIt(String text) {
    assertThatThrownBy(() -> DurationText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + text + "'");
  }
}
