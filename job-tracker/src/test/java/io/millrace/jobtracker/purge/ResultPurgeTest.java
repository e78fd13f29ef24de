package io.millrace.jobtracker.purge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A result is kept exactly as long as the row of the ledger that it belongs to. */
class ResultPurgeTest extends PurgeTest {
  private static final Duration KEEP = CONFIG.ledgerKeep();
  private static final Duration OLD = KEEP.plus(MILLISECOND);

  @Test
  void resultsGoWithTheirRowsOfTheLedger() {
    List<Long> kept = returned(5, KEEP);
    returned(45, OLD);
    Purger purger = purger();

    assertThat(purger.runOnce(time.millis()).more()).isTrue();
    assertThat(ledgerIds()).containsAll(resultIds());
    runAll(purger);

    assertThat(resultIds()).isEqualTo(kept);
    assertThat(ledgerIds()).isEqualTo(kept);
  }

  @Test
  void theyGoWithThemAlsoWhenTheLedgerHasTooManyRows() {
    returned(100, Duration.ofDays(3));
    List<Long> kept = returned(1_000, Duration.ofDays(2).plus(MILLISECOND));

    runAll(purger());

    assertThat(ledgerIds()).isEqualTo(kept);
    assertThat(resultIds()).isEqualTo(kept);
  }

  /** As a tracker of the version before deletes them, which does not know of results. */
  @Test
  void thoseWhoseRowsWereDeletedWithoutThemGoByTheirAge() {
    returned(35, OLD);
    List<Long> young = returned(3, DAY);
    byHand("DELETE FROM jt_history");
    Purger purger = purger();

    assertThat(purger.runOnce(time.millis()).rows().getOrDefault("results", 0L)).isPositive();
    runAll(purger);

    assertThat(resultIds()).isEqualTo(young);
  }
}
