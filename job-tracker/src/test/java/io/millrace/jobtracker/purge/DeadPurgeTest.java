package io.millrace.jobtracker.purge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A dead trigger is kept exactly as long as the row of the ledger that says it is dead. */
class DeadPurgeTest extends PurgeTest {
  private static final Duration KEEP = CONFIG.ledgerKeep();
  private static final Duration OLD = KEEP.plus(MILLISECOND);

  @Test
  void deadTriggersGoWithTheirRowsOfTheLedgerWhateverBecameOfThem() {
    List<Long> kept = died(5, KEEP);
    died(45, OLD);
    Purger purger = purger();

    assertThat(purger.runOnce(time.millis()))
        .isEqualTo(new Purger.Purged(Map.of("the ledger", 30L, "dead triggers", 15L), true));
    assertThat(ledgerIds()).containsAll(deadIds());
    runAll(purger);

    assertThat(deadIds()).isEqualTo(kept);
    assertThat(ledgerIds()).isEqualTo(kept);
  }

  @Test
  void theyGoWithThemAlsoWhenTheLedgerHasTooManyRows() {
    died(100, Duration.ofDays(3));
    List<Long> kept = died(1_000, Duration.ofDays(2).plus(MILLISECOND));

    runAll(purger());

    assertThat(ledgerIds()).isEqualTo(kept);
    assertThat(deadIds()).isEqualTo(kept);
  }

  @Test
  void thoseWhoseRowsWereDeletedByAHandGoByTheirAge() {
    died(35, OLD);
    List<Long> young = died(3, DAY);
    byHand("DELETE FROM jt_history");
    Purger purger = purger();

    assertThat(purger.runOnce(time.millis()).rows().getOrDefault("dead triggers", 0L)).isPositive();
    runAll(purger);

    assertThat(deadIds()).isEqualTo(young);
  }
}
