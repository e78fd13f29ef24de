package io.millrace.console.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HttpLimitsTest {
  @Test
  void connectionsTakeAQuarterOfTheFilesAtTheMost() {
    assertThat(HttpLimits.DEFAULT.fitting(1_024).connections()).isEqualTo(240);
    assertThat(HttpLimits.DEFAULT.fitting(2_064)).isSameAs(HttpLimits.DEFAULT);
    assertThat(HttpLimits.DEFAULT.fitting(40).connections()).isEqualTo(1);
  }
}
