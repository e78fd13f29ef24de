package io.millrace.jobtracker.domain.batch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReleaseWindowTest {

  @ParameterizedTest
  @CsvSource({
    "0,256",
    "1,256",
    "64,256",
    "65,260",
    "100,400",
    "249,996",
    "250,1000",
    "2147483647,1000"
  })
  void windowIsFourTimesTheSlotsWithinItsBounds(int slots, int size) {
    assertThat(ReleaseWindow.size(slots)).isEqualTo(size);
  }

  @Test
  void firstReleaseFillsTheWindow() {
    assertThat(ReleaseWindow.toRelease(PartCounts.of(1_000_000), 100)).isEqualTo(400);
    assertThat(ReleaseWindow.toRelease(PartCounts.of(10), 100)).isEqualTo(10);
    assertThat(ReleaseWindow.toRelease(PartCounts.of(0), 100)).isZero();
  }

  @Test
  void windowIsRefilledFromBelowHalfOfItOn() {
    PartCounts full = PartCounts.of(1_000).releasing(400);

    assertThat(ReleaseWindow.toRelease(full.ending(PartEnds.cancelled(200)), 100)).isZero();
    assertThat(ReleaseWindow.toRelease(full.ending(PartEnds.cancelled(201)), 100)).isEqualTo(201);
  }

  @Test
  void lastReleaseIsWhatIsLeft() {
    PartCounts last = PartCounts.of(450).releasing(400).ending(PartEnds.cancelled(400));

    assertThat(ReleaseWindow.toRelease(last, 100)).isEqualTo(50);
    assertThat(ReleaseWindow.toRelease(last.releasing(50), 100)).isZero();
  }

  @Test
  void workersThatLeftShrinkTheWindow() {
    PartCounts many = PartCounts.of(10_000).releasing(1_000);

    assertThat(ReleaseWindow.toRelease(many, 0)).isZero();
    assertThat(ReleaseWindow.toRelease(many.ending(PartEnds.cancelled(873)), 0)).isEqualTo(129);
  }
}
