package io.millrace.console.api.dead;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureKindTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no order 4711 of customer 98123456 | no order … of customer …",
        "order-20931 is gone | order-… is gone",
        "no 123e4567-e89b-12d3-a456-426614174000! | no …!",
        "Handler@1a2b3c4d failed at 0x00007f3a | Handler@… failed at …",
        "since 2026-11-29T07:34:57.123Z | since …",
        "on 2026-11-29 07:34 | on …",
        "HTTP 404 | HTTP 404",
        "exit code 137 after 3 attempts | exit code 137 after 3 attempts",
        "the facade is decadeds | the facade is decadeds",
        "database deadbeef | database deadbeef"
      })
  void onlyNamesAreLeftOut(String text, String expected) {
    assertThat(FailureKind.withoutNames(text)).isEqualTo(expected);
  }

  @Test
  void nothingStaysNothing() {
    assertThat(FailureKind.withoutNames(null)).isNull();
  }
}
