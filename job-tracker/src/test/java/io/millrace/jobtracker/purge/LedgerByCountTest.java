package io.millrace.jobtracker.purge;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.LogCapture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The ledger may have 1,000 rows; 300 are counted in a run. */
class LedgerByCountTest extends PurgeTest {
  private static final Duration LEAST = RetentionConfig.LEAST_LEDGER_KEEP;
  private static final Duration THREE_DAYS = DAY.multipliedBy(3);
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void oldestOfTooManyRowsAreDeleted() {
    ended(45, THREE_DAYS.plus(MILLISECOND));
    List<Long> kept = ended(1_000, THREE_DAYS);

    assertThat(runAll(purger())).isEqualTo(45);
    assertThat(ledgerIds()).isEqualTo(kept);
  }

  @Test
  void asManyRowsAsThereMayBeAreKept() {
    List<Long> kept = ended(1_000, THREE_DAYS);

    assertThat(runAll(purger())).isZero();
    assertThat(ledgerIds()).isEqualTo(kept);
  }

  @Test
  void countingIsSpreadOverRunsThatDeleteNothing() {
    ended(1_001, THREE_DAYS);
    Purger purger = purger();

    for (int counted = 0; counted < 1_000; counted += 300) {
      assertThat(purger.runOnce(time.millis())).isEqualTo(new Purger.Purged(Map.of(), true));
    }
    assertThat(purger.runOnce(time.millis()))
        .isEqualTo(new Purger.Purged(Map.of("the ledger", 1L), false));
  }

  @Test
  void rowsAddedWhileItCountsMakeItDeleteNoMore() {
    List<Long> excess = ended(5, THREE_DAYS.plus(MILLISECOND));
    ended(1_000, THREE_DAYS);
    Purger purger = purger();
    purger.runOnce(time.millis());
    List<Long> added = ended(40, Duration.ZERO);

    assertThat(runAll(purger)).isEqualTo(5);

    assertThat(ledgerIds()).hasSize(1_040).doesNotContainAnyElementsOf(excess).containsAll(added);
  }

  @Test
  void countsAgainAnHourAfterwards() {
    ended(1_000, THREE_DAYS);
    Purger purger = purger();
    assertThat(runAll(purger)).isZero();
    ended(20, THREE_DAYS.minus(MILLISECOND));

    time.pass(HOUR.minus(MILLISECOND));
    assertThat(purger.runOnce(time.millis())).isEqualTo(Purger.Purged.NOTHING);

    time.pass(MILLISECOND);
    assertThat(runAll(purger)).isEqualTo(20);
  }

  @Test
  void rowsThatAResendMayBeKnownByAreKeptHoweverManyThereAre() {
    ended(25, LEAST.plus(MILLISECOND));
    List<Long> kept = new ArrayList<>(ended(10, LEAST));
    kept.addAll(ended(1_100, DAY));

    try (LogCapture log = new LogCapture(LedgerPurge.class)) {
      assertThat(runAll(purger())).isEqualTo(25);

      assertThat(log.lines())
          .containsExactly(
              "WARN purge: more than 1000 rows of the ledger are younger than PT48H;"
                  + " ledger.max-rows does not delete them, because they identify repeated"
                  + " submits");
    }
    assertThat(ledgerIds()).isEqualTo(kept);
  }

  @Test
  void rowOfALongRunThatHasJustEndedIsKeptHoweverManyThereAre() {
    List<Long> kept = new ArrayList<>(ended(1, DAY.multipliedBy(5), DAY));
    ended(4, DAY.multipliedBy(4));
    kept.addAll(ended(1_000, THREE_DAYS));

    assertThat(runAll(purger())).isEqualTo(4);
    assertThat(ledgerIds()).isEqualTo(kept);
  }

  @Test
  void countsWhenWhatIsTooOldIsGone() {
    ended(500, DAY.multipliedBy(31));
    List<Long> kept = ended(600, THREE_DAYS);
    Purger purger = purger();

    for (int deleted = 0; deleted < 480; deleted += 30) {
      assertThat(purger.runOnce(time.millis()))
          .isEqualTo(new Purger.Purged(Map.of("the ledger", 30L), true));
    }
    assertThat(purger.runOnce(time.millis()))
        .as("the last ones, and the beginning of the count")
        .isEqualTo(new Purger.Purged(Map.of("the ledger", 20L), true));
    assertThat(runAll(purger)).isZero();
    assertThat(ledgerIds()).isEqualTo(kept);
  }

  @Test
  void countIsForgottenWhenAnotherTrackerPurgesMeanwhile() {
    anotherLiveTracker(DAY);
    List<Long> rows = ended(1_030, THREE_DAYS);
    Purger purger = purger(1, new PurgeBounds(10, 3, 300));
    stores.trackers().release(0, "tracker-1");
    for (int counted = 0; counted < 1_000; counted += 300) {
      assertThat(purger.runOnce(time.millis()).more()).isTrue();
    }

    anotherLiveTracker(HOUR);
    assertThat(purger.runOnce(time.millis())).isEqualTo(Purger.Purged.NOTHING);
    stores.ledger().delete(rows.subList(500, 1_030));
    time.pass(HOUR);

    assertThat(runAll(purger)).isZero();
    assertThat(ledgerIds()).isEqualTo(rows.subList(0, 500));
  }
}
