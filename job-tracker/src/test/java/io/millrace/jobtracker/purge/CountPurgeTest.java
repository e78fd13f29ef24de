package io.millrace.jobtracker.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.fixture.FaultyTransactions.Fault;
import io.millrace.jobtracker.store.console.Counts;
import io.millrace.jobtracker.store.console.Counts.Of;
import io.millrace.jobtracker.store.console.MinuteCountStore;
import io.millrace.jobtracker.store.console.MinuteCountStore.HourCount;
import io.millrace.jobtracker.store.console.MinuteCountStore.MinuteCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Old minutes become hours, and old hours are forgotten: 10 rows a transaction, 3 of them a run.
 */
class CountPurgeTest extends PurgeTest {
  private static final long MINUTE = MinuteCountStore.MINUTE;
  private static final long HOUR = MinuteCountStore.HOUR;
  private static final int MANY = 90;

  private MinuteCountStore counts;
  private long lastHour;

  @BeforeEach
  void noCounts() {
    byHand("DELETE FROM jt_minute_count");
    byHand("DELETE FROM jt_hour_count");
    counts = stores.console().fleet().counts();
    long old = time.millis() - Purger.KEEP_MINUTES.toMillis();
    lastHour = old - Math.floorMod(old, HOUR);
  }

  private static Counts started(long count) {
    return new Counts(Map.of(Of.STARTED, count, Of.LATE_MAX, count));
  }

  /** One start in each of so many minutes before the last hour that is due. */
  private void counted(int minutes) {
    counts.add(
        1,
        LongStream.rangeClosed(1, minutes)
            .mapToObj(ago -> new MinuteCount("orders", lastHour - ago * MINUTE, started(1)))
            .toList());
  }

  private List<HourCount> hours() {
    return counts.hours("orders", 0, time.millis());
  }

  private int minutes() {
    return counts.minutes("orders", 0, Long.MAX_VALUE).size();
  }

  private List<HourCount> sixtyAndThirty() {
    return List.of(
        new HourCount(lastHour - 2 * HOUR, new Counts(Map.of(Of.STARTED, 30L, Of.LATE_MAX, 1L))),
        new HourCount(lastHour - HOUR, new Counts(Map.of(Of.STARTED, 60L, Of.LATE_MAX, 1L))));
  }

  @Test
  void minutesMoveInPortionsAndTheHoursAreTheSameBeforeAmidAndAfter() {
    counted(MANY);
    long young = time.millis() - Purger.KEEP_MINUTES.toMillis();
    counts.add(1, List.of(new MinuteCount("orders", young, started(7))));
    List<HourCount> before = hours();
    assertThat(before).startsWith(sixtyAndThirty().toArray(new HourCount[0])).hasSize(3);
    Purger purger = purger();

    assertThat(purger.runOnce(time.millis()))
        .isEqualTo(new Purger.Purged(Map.of("the counts of minutes", 30L), true));
    assertThat(hours()).isEqualTo(before);
    assertThat(minutes()).isEqualTo(61);
    assertThat(runAll(purger)).isZero();

    assertThat(minutes()).as("the minute that is not old enough").isEqualTo(1);
    assertThat(hours()).isEqualTo(before);
    assertThat(purger.runOnce(time.millis())).isEqualTo(Purger.Purged.NOTHING);
  }

  @Test
  void minuteThatIsWrittenLateCountsToo() {
    counted(MANY);
    assertThat(runAll(purger())).isZero();
    counted(MANY);

    assertThat(hours())
        .containsExactly(
            new HourCount(
                lastHour - 2 * HOUR, new Counts(Map.of(Of.STARTED, 60L, Of.LATE_MAX, 1L))),
            new HourCount(lastHour - HOUR, new Counts(Map.of(Of.STARTED, 120L, Of.LATE_MAX, 1L))));
    List<HourCount> late = hours();
    assertThat(runAll(purger())).isZero();

    assertThat(minutes()).isZero();
    assertThat(hours()).isEqualTo(late);
  }

  /** After a fault in any transaction, whether it took effect or not, the next run goes on. */
  @ParameterizedTest
  @EnumSource(Fault.class)
  void faultAtAnyTransactionLosesNothingAndCountsNothingTwice(Fault fault) {
    counted(MANY);
    boolean wasReached = true;
    int faults = 0;
    while (wasReached) {
      Purger purger = purger();
      transactions.failAfter(faults, fault);
      try {
        Purger.Purged unused = purger.runOnce(time.millis());
      } catch (RuntimeException broken) {
        assertThat(fault).isNotEqualTo(Fault.NONE);
      }
      assertThat(hours()).as("fault at transaction %d", faults).isEqualTo(sixtyAndThirty());
      wasReached = transactions.wasReached();
      transactions.failNext(Fault.NONE);
      faults++;
    }

    assertThat(faults).isGreaterThan(10);
    assertThat(runAll(purger())).isZero();
    assertThat(minutes()).isZero();
    assertThat(hours()).isEqualTo(sixtyAndThirty());
  }

  @Test
  void failureToForgetHoursIsToldAndTheRestIsDone() {
    counted(5);
    byHand("ALTER TABLE jt_hour_count RENAME TO jt_hours_elsewhere");
    try {
      assertThatThrownBy(() -> purger().runOnce(time.millis()))
          .hasMessageStartingWith("move the counts of old minutes");
    } finally {
      byHand("ALTER TABLE jt_hours_elsewhere RENAME TO jt_hour_count");
    }

    assertThat(minutes())
        .as("no minute is deleted that did not become part of an hour")
        .isEqualTo(5);
  }

  @Test
  void hoursAreForgottenInPortionsWhenTheirTimeIsOver() {
    long keep = CONFIG.countsKeep().toMillis();
    long kept = time.millis() - keep;
    long first = kept + Math.floorMod(-kept, HOUR);
    List<MinuteCount> minutes = new ArrayList<>();
    for (int hours = -1; hours < 45; hours++) {
      minutes.add(new MinuteCount("orders", first - hours * HOUR, started(1)));
    }
    counts.add(1, minutes);
    while (counts.moveToHours(time.millis() - Purger.KEEP_MINUTES.toMillis(), 100) > 0) {
      assertThat(hours()).hasSize(46);
    }
    Purger purger = purger();

    assertThat(purger.runOnce(time.millis()))
        .isEqualTo(new Purger.Purged(Map.of("the counts of hours", 30L), true));
    assertThat(purger.runOnce(time.millis()))
        .isEqualTo(new Purger.Purged(Map.of("the counts of hours", 14L), false));

    assertThat(hours())
        .extracting(HourCount::hourAt)
        .as("those that began no longer ago than they are kept")
        .containsExactly(first, first + HOUR);
  }
}
