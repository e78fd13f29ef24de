package io.millrace.jobtracker.domain.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class IdSequenceTest {
  private static final long NOW = IdSequence.EPOCH_MILLIS + 1_000_000;

  @Test
  void idIsMillisecondsThenTrackerThenSequence() {
    IdSequence ids = new IdSequence(5, 0);

    assertThat(ids.next(NOW)).isEqualTo(1_000_000L << 22 | 5L << 12);
    assertThat(ids.next(NOW)).isEqualTo(1_000_000L << 22 | 5L << 12 | 1);
  }

  @Test
  void idsRunAheadOfAClockThatStandsStill() {
    IdSequence ids = new IdSequence(0, 0);
    long last = -1;
    for (int i = 0; i < 10_000; i++) {
      long id = ids.next(NOW);
      assertThat(id).isGreaterThan(last);
      last = id;
    }
    assertThat(last >>> 22).isEqualTo(1_000_002);
  }

  @Test
  void idsRiseWhenTheClockGoesBack() {
    IdSequence ids = new IdSequence(0, 0);
    long before = ids.next(NOW);

    assertThat(ids.next(NOW - 500_000)).isGreaterThan(before);
  }

  @Test
  void clockBeforeTheEpochYieldsPositiveIds() {
    IdSequence ids = new IdSequence(1, 0);

    assertThat(ids.next(0)).isPositive();
    assertThat(ids.next(0)).isPositive();
  }

  @Test
  void firstIdIsAboveTheHighestThatTheStoreCarries() {
    long stored = new IdSequence(1023, 0).next(NOW + 3_600_000);

    assertThat(new IdSequence(0, stored).next(NOW)).isGreaterThan(stored);
  }

  /** Two trackers whose sequences meet in one millisecond. */
  @Test
  void idIsAboveOneObservedFromTheNextTrackerWhenTheSequenceIsUsedUp() {
    for (int tracker : new int[] {0, 1, 6, 7, 1023}) {
      IdSequence ids = new IdSequence(tracker, 0);
      for (int i = 0; i < 4_096; i++) {
        ids.next(NOW);
      }
      long other = new IdSequence((tracker + 1) % 1_024, 0).next(NOW);

      ids.observe(other);

      assertThat(ids.next(NOW)).as("tracker %d", tracker).isGreaterThan(other);
    }
  }

  @Test
  void lowestIdOfAnInstantIsAboveWhatWasIssuedBeforeAndNotAboveWhatIsIssuedThen() {
    long before = -1;
    for (int tracker : new int[] {0, 1, 1_023}) {
      IdSequence ids = new IdSequence(tracker, 0);
      for (int i = 0; i < 4_096; i++) {
        before = Math.max(before, ids.next(NOW - 1));
      }
      assertThat(new IdSequence(tracker, 0).next(NOW)).isGreaterThanOrEqualTo(lowestNow());
    }

    assertThat(before).isEqualTo(lowestNow() - 1);
    assertThat(new IdSequence(0, 0).next(NOW)).isEqualTo(lowestNow());
  }

  private static long lowestNow() {
    return IdSequence.lowestAt(NOW);
  }

  @Test
  void noIdIsBelowTheLowestOfAnInstantBeforeTheEpoch() {
    assertThat(IdSequence.lowestAt(IdSequence.EPOCH_MILLIS)).isZero();
    assertThat(IdSequence.lowestAt(IdSequence.EPOCH_MILLIS - 1)).isZero();
    assertThat(IdSequence.lowestAt(0)).isZero();
  }

  @Property
  void idsBelowTheLowestOfAnInstantAreThoseIssuedBeforeIt(
      @ForAll @IntRange(max = 20) int issuedAt,
      @ForAll @IntRange(max = 20) int instant,
      @ForAll @IntRange(max = 1_023) int tracker) {
    long id = new IdSequence(tracker, 0).next(NOW + issuedAt);

    assertThat(id < IdSequence.lowestAt(NOW + instant)).isEqualTo(issuedAt < instant);
  }

  @Test
  void trackerNumberOutOfRangeIsRefused() {
    assertThatThrownBy(() -> new IdSequence(-1, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new IdSequence(1_024, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Property
  void idIsAboveWhateverWasIssuedOrObservedBefore(
      @ForAll long seed,
      @ForAll @IntRange(max = 1_023) int tracker,
      @ForAll @IntRange(min = 1, max = 500) int steps) {
    Random random = new Random(seed);
    IdSequence ids = new IdSequence(tracker, 0);
    long clock = NOW;
    long highest = -1;
    for (int step = 0; step < steps; step++) {
      clock += random.nextInt(4) - 1;
      if (random.nextInt(3) == 0) {
        long observed = anIdNear(random, clock);
        ids.observe(observed);
        highest = Math.max(highest, observed);
      }
      if (random.nextInt(20) == 0) {
        for (int i = 0; i < 4_090; i++) {
          highest = Math.max(highest, ids.next(clock));
        }
      }
      long id = ids.next(clock);
      assertThat(id).isGreaterThan(highest);
      assertThat(id >>> 12 & 1_023).isEqualTo(tracker);
      highest = id;
    }
  }

  private static long anIdNear(Random random, long clock) {
    long time = clock - IdSequence.EPOCH_MILLIS + random.nextInt(4) - 2;
    return time << 22 | (long) random.nextInt(1_024) << 12 | random.nextInt(4_096);
  }

  @Property(tries = 50)
  void trackersNeverIssueTheSameId(@ForAll long seed) {
    Random random = new Random(seed);
    List<IdSequence> trackers = new ArrayList<>();
    for (int tracker = 0; tracker < 4; tracker++) {
      trackers.add(new IdSequence(tracker, 0));
    }
    Set<Long> issued = new HashSet<>();
    long clock = NOW;
    for (int step = 0; step < 2_000; step++) {
      clock += random.nextInt(2);
      long id = trackers.get(random.nextInt(4)).next(clock);
      assertThat(issued.add(id)).isTrue();
      trackers.get(random.nextInt(4)).observe(id);
    }
  }

  @Test
  void threadsNeverGetTheSameId() throws Exception {
    IdSequence ids = new IdSequence(3, 0);
    Callable<List<Long>> draw =
        () -> {
          List<Long> drawn = new ArrayList<>();
          for (int i = 0; i < 20_000; i++) {
            drawn.add(ids.next(NOW));
          }
          return drawn;
        };
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      Set<Long> all = new HashSet<>();
      for (Future<List<Long>> drawn : threads.invokeAll(List.of(draw, draw, draw, draw))) {
        assertThat(drawn.get()).isSorted();
        all.addAll(drawn.get());
      }
      assertThat(all).hasSize(80_000);
    } finally {
      threads.shutdownNow();
    }
  }
}
