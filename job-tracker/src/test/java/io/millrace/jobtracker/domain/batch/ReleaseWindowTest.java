package io.millrace.jobtracker.domain.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReleaseWindowTest {

  @ParameterizedTest
  @CsvSource({
    "0,256",
    "1,256",
    "32,256",
    "33,264",
    "50,400",
    "124,992",
    "125,1000",
    "2147483647,1000"
  })
  void windowIsEightTimesTheSlotsWithinItsBounds(int slots, int size) {
    assertThat(ReleaseWindow.size(slots)).isEqualTo(size);
  }

  @Test
  void firstReleasesFillTheWindow() {
    PartCounts counts = PartCounts.of(1_000_000);
    List<Integer> released = new ArrayList<>();
    for (int more = ReleaseWindow.toRelease(counts, 50); more > 0; ) {
      released.add(more);
      counts = counts.releasing(more);
      more = ReleaseWindow.toRelease(counts, 50);
    }

    assertThat(released).containsExactly(128, 128, 128);
    assertThat(ReleaseWindow.toRelease(PartCounts.of(10), 50)).isEqualTo(10);
    assertThat(ReleaseWindow.toRelease(PartCounts.of(0), 50)).isZero();
  }

  @Test
  void windowIsRefilledWhenMoreThanAQuarterOfItIsFree() {
    PartCounts full = PartCounts.of(1_000).releasing(400);

    assertThat(ReleaseWindow.toRelease(full.ending(PartEnds.cancelled(100)), 50)).isZero();
    assertThat(ReleaseWindow.toRelease(full.ending(PartEnds.cancelled(101)), 50)).isEqualTo(101);
    assertThat(ReleaseWindow.toRelease(full.ending(PartEnds.cancelled(400)), 50)).isEqualTo(128);
  }

  @Test
  void lastReleaseIsWhatIsLeft() {
    PartCounts last = PartCounts.of(450).releasing(400).ending(PartEnds.cancelled(400));

    assertThat(ReleaseWindow.toRelease(last, 50)).isEqualTo(50);
    assertThat(ReleaseWindow.toRelease(last.releasing(50), 50)).isZero();
  }

  @Test
  void workersThatLeftShrinkTheWindow() {
    PartCounts many = PartCounts.of(10_000).releasing(1_000);

    assertThat(ReleaseWindow.toRelease(many, 0)).isZero();
    assertThat(ReleaseWindow.toRelease(many.ending(PartEnds.cancelled(808)), 0)).isZero();
    assertThat(ReleaseWindow.toRelease(many.ending(PartEnds.cancelled(809)), 0)).isEqualTo(65);
  }
}
