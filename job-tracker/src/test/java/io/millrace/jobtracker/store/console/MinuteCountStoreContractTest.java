package io.millrace.jobtracker.store.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.StoreContract;
import io.millrace.jobtracker.store.console.Counts.Of;
import io.millrace.jobtracker.store.console.MinuteCountStore.MinuteCount;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MinuteCountStoreContractTest extends StoreContract {
  private static final long MINUTE = MinuteCountStore.MINUTE;

  private MinuteCountStore store;

  @BeforeEach
  void takeStore() {
    store = stores.console().fleet().counts();
    database.execute("DELETE FROM jt_minute_count");
  }

  /** Of every kind another number. */
  private static Counts counts(long first) {
    Map<Of, Long> counts = new EnumMap<>(Of.class);
    for (Of what : Of.values()) {
      counts.put(what, first + what.ordinal());
    }
    return new Counts(counts);
  }

  private MinuteCount counted(long minute, long first) {
    return new MinuteCount(nodeGroup, minute * MINUTE, counts(first));
  }

  @Test
  void whatATrackerCountsIsAddedUpAndOfMaximaTheHighestStays() {
    store.add(1, List.of(counted(5, 100)));
    store.add(1, List.of(counted(5, 1_000)));

    List<MinuteCount> minutes = store.minutes(nodeGroup, 0, 10 * MINUTE);

    assertThat(minutes)
        .containsExactly(new MinuteCount(nodeGroup, 5 * MINUTE, counts(100).plus(counts(1_000))));
    assertThat(minutes.get(0).counts().get(Of.PLANNED)).isEqualTo(1_100);
    assertThat(minutes.get(0).counts().get(Of.LATE_MAX)).isEqualTo(1_000 + Of.LATE_MAX.ordinal());
  }

  @Test
  void theCountsOfAllTrackersAreOneSeries() {
    store.add(1, List.of(counted(5, 100), counted(7, 1)));
    store.add(2, List.of(counted(5, 30)));
    store.add(2, List.of());

    assertThat(store.minutes(nodeGroup, 5 * MINUTE, 7 * MINUTE))
        .containsExactly(new MinuteCount(nodeGroup, 5 * MINUTE, counts(100).plus(counts(30))));
    assertThat(store.sum(nodeGroup, 5 * MINUTE, 7 * MINUTE + 1))
        .isEqualTo(counts(100).plus(counts(30)).plus(counts(1)));
  }

  @Test
  void groupsAndAllGroupsAreKeptApart() {
    store.add(
        1,
        List.of(
            counted(5, 100), new MinuteCount(MinuteCountStore.ALL_GROUPS, 5 * MINUTE, counts(7))));

    assertThat(store.sum(MinuteCountStore.ALL_GROUPS, 0, 10 * MINUTE)).isEqualTo(counts(7));
    assertThat(store.sum(nodeGroup, 0, 10 * MINUTE)).isEqualTo(counts(100));
    assertThat(store.sum("never-seen", 0, 10 * MINUTE)).isEqualTo(Counts.NONE);
  }

  @Test
  void manyMinutesAreWrittenAtOnceAndOldOnesDeletedInPortions() {
    store.add(1, LongStream.range(0, 300).mapToObj(minute -> counted(minute, 1)).toList());

    assertThat(store.deleteBefore(200 * MINUTE, 150)).isEqualTo(150);
    assertThat(store.deleteBefore(200 * MINUTE, 150)).isEqualTo(50);
    assertThat(store.deleteBefore(200 * MINUTE, 150)).isZero();

    assertThat(store.minutes(nodeGroup, 0, 1_000 * MINUTE)).hasSize(100);
  }
}
