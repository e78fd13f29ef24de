package io.millrace.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PercentilesTest {

  @Test
  void aPercentileIsTheLeastValueThatSoManyDoNotExceed() {
    long[] micros = LongStream.rangeClosed(1, 200).map(millis -> millis * 1_000).toArray();

    assertThat(Percentiles.ofMicros(micros)).isEqualTo(new Percentiles(200, 1, 100, 190, 198, 200));
  }

  @Test
  void ofOneValueAllPercentilesAreThatValue() {
    assertThat(Percentiles.ofMicros(new long[] {1_500}))
        .isEqualTo(new Percentiles(1, 1.5, 1.5, 1.5, 1.5, 1.5));
  }
}
