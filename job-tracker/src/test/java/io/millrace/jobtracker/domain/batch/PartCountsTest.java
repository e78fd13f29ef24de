package io.millrace.jobtracker.domain.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Disposition;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PartCountsTest {

  @ParameterizedTest
  @EnumSource(value = Disposition.class, names = "UNKNOWN", mode = EnumSource.Mode.EXCLUDE)
  void endIsCountedOnceWhateverItIs(Disposition end) {
    PartCounts counts = PartCounts.of(2).releasing(2).ending(PartEnds.of(end));

    assertThat(counts.live()).isEqualTo(1);
    assertThat(counts.ended().total()).isEqualTo(1);
    assertThat(counts.isAllEnded()).isFalse();
    assertThat(counts.ending(PartEnds.of(end)).isAllEnded()).isTrue();
    assertThat(counts.failures())
        .isEqualTo(end == Disposition.SUCCEEDED || end == Disposition.SKIPPED ? 0 : 1);
    assertThat(PartState.after(end).name()).isEqualTo(end.name());
  }

  @Test
  void unknownEndIsNoEnd() {
    assertThatThrownBy(() -> PartEnds.of(Disposition.UNKNOWN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void batchOfNoPartsHasEndedAtOnce() {
    assertThat(PartCounts.of(0).isAllEnded()).isTrue();
  }

  @Test
  void replayOfADeadPartIsAPartMoreAndTakesItsPlace() {
    PartCounts dead =
        PartCounts.of(3).releasing(3).ending(PartEnds.of(Disposition.DEAD)).ending(failed());

    PartCounts replayed = dead.replaying();

    assertThat(dead.failures()).isEqualTo(2);
    assertThat(replayed.failures()).isEqualTo(1);
    assertThat(replayed.standingDead()).isZero();
    assertThat(replayed.total()).isEqualTo(4);
    assertThat(replayed.unreleased()).isEqualTo(1);
    assertThatThrownBy(replayed::replaying).hasMessage("2 of 1 dead parts cannot be replaced");
  }

  private static PartEnds failed() {
    return PartEnds.of(Disposition.FAILED);
  }

  @Test
  void stopEndsWhatWaitsAndWhatWasNeverReleased() {
    PartCounts stopping = PartCounts.of(1_000_000).releasing(300).ending(failed()).stopping(200);

    assertThat(stopping.live()).as("those that run").isEqualTo(99);
    assertThat(stopping.unreleased()).isZero();
    assertThat(stopping.ended()).isEqualTo(new PartEnds(0, 1, 0, 999_900, 0));
    assertThat(stopping.ending(PartEnds.cancelled(99)).isAllEnded()).isTrue();
  }

  @Test
  void countsThatContradictThemselvesAreRefused() {
    assertThatThrownBy(() -> PartCounts.of(3).releasing(4))
        .hasMessage("4 of 3 parts cannot be released");
    assertThatThrownBy(() -> PartCounts.of(3).releasing(1).ending(PartEnds.cancelled(2)))
        .hasMessage("2 parts cannot have ended of 1 that were released");
    assertThatThrownBy(() -> PartCounts.of(3).releasing(3).stopping(4))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PartEnds(1, 0, -1, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Releases, ends, replays and at last a stop, in any order that can happen. */
  @Property(tries = 500)
  void partsNeitherVanishNorEndTwice(
      @ForAll @IntRange(max = 2_000) int parts,
      @ForAll @IntRange(min = 1, max = 1_000) int slots,
      @ForAll long seed) {
    Random random = new Random(seed);
    PartCounts counts = PartCounts.of(parts);
    int replays = 0;
    int mostLive = 0;
    for (int step = 0; step < 5_000 && !counts.isAllEnded(); step++) {
      int release = ReleaseWindow.toRelease(counts, slots);
      counts = counts.releasing(release);
      mostLive = Math.max(mostLive, counts.live());
      if (counts.standingDead() > 0 && random.nextInt(4) == 0) {
        counts = counts.replaying();
        replays++;
      }
      if (counts.live() > 0) {
        counts = counts.ending(PartEnds.of(Disposition.values()[random.nextInt(5)]));
      }
      if (random.nextInt(1_000) == 0) {
        counts = counts.stopping(random.nextInt(counts.live() + 1));
        counts = counts.ending(PartEnds.cancelled(counts.live()));
      }
      assertThat(counts.live() + counts.unreleased() + counts.ended().total())
          .isEqualTo(counts.total());
    }

    assertThat(counts.isAllEnded()).isTrue();
    assertThat(counts.total()).isEqualTo(parts + replays);
    assertThat(counts.replaced()).isEqualTo(replays);
    assertThat(counts.failures()).isBetween(0, counts.total());
    assertThat(mostLive).isLessThanOrEqualTo(ReleaseWindow.size(slots));
  }
}
