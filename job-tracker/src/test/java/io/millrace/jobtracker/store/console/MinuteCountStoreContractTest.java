package io.millrace.jobtracker.store.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.Racer;
import io.millrace.jobtracker.store.StoreContract;
import io.millrace.jobtracker.store.console.Counts.Of;
import io.millrace.jobtracker.store.console.MinuteCountStore.HourCount;
import io.millrace.jobtracker.store.console.MinuteCountStore.MinuteCount;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MinuteCountStoreContractTest extends StoreContract {
  private static final long MINUTE = MinuteCountStore.MINUTE;
  private static final long HOUR = MinuteCountStore.HOUR;

  private MinuteCountStore store;

  @BeforeEach
  void takeStore() {
    store = stores.console().fleet().counts();
    database.execute("DELETE FROM jt_minute_count");
    database.execute("DELETE FROM jt_hour_count");
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
  void minutesBecomeHoursAndCountTheSameInBoth() {
    long day = 24 * 60;
    store.add(1, LongStream.range(day, day + 150).mapToObj(at -> counted(at, at)).toList());
    store.add(2, LongStream.range(day, day + 30).mapToObj(at -> counted(at, 7)).toList());
    MinuteCount other = new MinuteCount(MinuteCountStore.ALL_GROUPS, day * MINUTE, counts(3));
    store.add(1, List.of(other));
    List<HourCount> hours = store.hours(nodeGroup, day * MINUTE, 2 * day * MINUTE);
    assertThat(hours)
        .extracting(HourCount::hourAt)
        .containsExactly(24 * HOUR, 25 * HOUR, 26 * HOUR);
    assertThat(hours.get(0).counts()).isEqualTo(sum(day, 60));

    for (int left = 181; left > 0; left -= 50) {
      assertThat(store.moveToHours(2 * day * MINUTE, 50)).isEqualTo(Math.min(left, 50));
      assertThat(store.hours(nodeGroup, day * MINUTE, 2 * day * MINUTE)).isEqualTo(hours);
    }
    assertThat(store.moveToHours(2 * day * MINUTE, 50)).isZero();

    assertThat(store.minutes(nodeGroup, 0, 2 * day * MINUTE)).isEmpty();
    assertThat(store.hours(MinuteCountStore.ALL_GROUPS, 0, 2 * day * MINUTE))
        .containsExactly(new HourCount(24 * HOUR, counts(3)));
    assertThat(store.hours(nodeGroup, 25 * HOUR, 26 * HOUR)).containsExactly(hours.get(1));
  }

  /** Of both trackers. */
  private static Counts sum(long from, int minutes) {
    Counts sum = Counts.NONE;
    for (long at = from; at < from + minutes; at++) {
      sum = sum.plus(counts(at)).plus(at < from + 30 ? counts(7) : Counts.NONE);
    }
    return sum;
  }

  @Test
  void onlyMinutesBeforeTheInstantMove() {
    store.add(1, List.of(counted(100, 1), counted(5, 1), counted(70, 1)));

    assertThat(store.moveToHours(100 * MINUTE, 10)).isEqualTo(2);

    assertThat(store.minutes(nodeGroup, 0, 200 * MINUTE))
        .extracting(MinuteCount::minuteAt)
        .containsExactly(100 * MINUTE);
  }

  @Test
  void moveThatIsRolledBackChangesNothing() {
    store.add(1, List.of(counted(5, 100), counted(6, 10)));
    List<HourCount> before = store.hours(nodeGroup, 0, HOUR);

    assertThatThrownBy(
            () ->
                stores
                    .transactions()
                    .run(
                        "move",
                        () -> {
                          assertThat(store.moveToHours(HOUR, 1)).isEqualTo(1);
                          throw new IllegalStateException("killed");
                        }))
        .hasMessage("killed");

    assertThat(store.hours(nodeGroup, 0, HOUR)).isEqualTo(before);
    assertThat(store.minutes(nodeGroup, 0, HOUR)).hasSize(2);
  }

  @Test
  void oldHoursAreDeletedInPortions() {
    store.add(1, LongStream.range(0, 30).mapToObj(hour -> counted(60 * hour, 1)).toList());
    assertThat(store.moveToHours(30 * HOUR, 100)).isEqualTo(30);

    assertThat(store.deleteHoursBefore(20 * HOUR, 15)).isEqualTo(15);
    assertThat(store.deleteHoursBefore(20 * HOUR, 15)).isEqualTo(5);
    assertThat(store.deleteHoursBefore(20 * HOUR, 15)).isZero();

    assertThat(store.hours(nodeGroup, 0, 30 * HOUR))
        .extracting(HourCount::hourAt)
        .startsWith(20 * HOUR)
        .hasSize(10);
  }

  /** Each tracker believes that the purge is its; a third writes late, a fourth reads. */
  @Test
  void trackersThatMoveTheSameMinutesCountNothingTwiceAndLoseNothing() {
    int rounds = 40;
    Counts one = new Counts(Map.of(Of.STARTED, 1L));
    List<MinuteCount> late =
        LongStream.range(0, 60)
            .mapToObj(at -> new MinuteCount(nodeGroup, at * MINUTE, one))
            .toList();
    MinuteCountStore others = database.anotherTracker().console().fleet().counts();
    List<Long> seen = new ArrayList<>();
    Callable<Integer> writing =
        () -> {
          for (int i = 0; i < rounds; i++) {
            store.add(i % 2, late);
          }
          return 0;
        };
    Callable<Integer> reading =
        () -> {
          for (int i = 0; i < 4 * rounds; i++) {
            seen.add(started());
          }
          return 0;
        };

    List<Integer> moved;
    try (Racer racer = new Racer()) {
      moved =
          racer.together(List.of(writing, reading, moving(store, rounds), moving(others, rounds)));
    }
    int rest = store.moveToHours(HOUR, 10_000);

    assertThat(seen).as("what is moved is never seen twice, or not at all").isSorted();
    assertThat(started()).isEqualTo(60L * rounds);
    assertThat(store.minutes(nodeGroup, 0, HOUR)).isEmpty();
    assertThat(moved.get(2) + moved.get(3) + rest).isBetween(60, 60 * rounds);
  }

  private long started() {
    return store.hours(nodeGroup, 0, HOUR).stream()
        .mapToLong(it -> it.counts().get(Of.STARTED))
        .sum();
  }

  private static Callable<Integer> moving(MinuteCountStore store, int rounds) {
    return () -> {
      int moved = 0;
      for (int i = 0; i < rounds; i++) {
        moved += store.moveToHours(HOUR, 7 + i);
      }
      return moved;
    };
  }
}
