package io.millrace.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.millrace.benchmarks.database.DatabaseKind;
import io.millrace.benchmarks.scale.Figures.Series;
import java.util.List;
import org.junit.jupiter.api.Test;

class FiguresTest {
  private final Figures figures = new Figures();

  @Test
  void costOfEachIsTheSlopeOverAllSizes() {
    add(Measurement.WORKERS, 100, 21);
    add(Measurement.WORKERS, 1_000, 30);
    add(Measurement.WORKERS, 10_000, 120);

    Series heap = figures.series().get(0);

    assertThat(heap.slope()).isCloseTo(0.01, within(1e-9));
    assertThat(ScaleReport.lines(figures, List.of()))
        .anyMatch(line -> line.matches("workers on h2 +unit +100 +1,000 +10,000 +per worker"))
        .anyMatch(line -> line.matches("heap +MiB +21.0 +30.0 +120 +0.01000"));
  }

  @Test
  void manyRowsAreComparedWithNone() {
    add(Measurement.ROWS, 0, 50);
    add(Measurement.ROWS, 1_000, 55);

    assertThat(figures.series().get(0).slope()).isNull();
    assertThat(figures.series().get(0).ratio()).isCloseTo(1.1, within(1e-9));
  }

  @Test
  void oneSizeHasNoGrowth() {
    add(Measurement.GROUPS, 7, 50);

    assertThat(figures.series().get(0).slope()).isNull();
    assertThat(ScaleReport.lines(figures, List.of()))
        .anyMatch(line -> line.matches("heap +MiB +50.0 +-"));
  }

  private void add(Measurement measurement, long size, double value) {
    figures.add(measurement, DatabaseKind.H2, "heap", "MiB", size, value);
  }
}
