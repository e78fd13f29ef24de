package io.millrace.jobtracker.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.fixture.FaultyTransactions.Fault;
import io.millrace.jobtracker.store.failure.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LedgerByAgeTest extends PurgeTest {
  private static final Duration KEEP = CONFIG.ledgerKeep();
  private static final Duration OLD = KEEP.plus(MILLISECOND);

  @Test
  void rowsAreDeletedWhenTheyAreOlderThanTheLedgerIsKept() {
    List<Long> kept = ended(2, KEEP);
    ended(3, OLD);

    assertThat(runAll(purger())).isEqualTo(3);
    assertThat(ledgerIds()).isEqualTo(kept);

    time.pass(MILLISECOND);
    assertThat(runAll(purger())).isEqualTo(2);
    assertThat(ledgerIds()).isEmpty();
  }

  @Test
  void rowOfALongRunIsAsOldAsItsEnd() {
    List<Long> kept = ended(1, KEEP.multipliedBy(3), DAY);
    Purger purger = purger();

    assertThat(runAll(purger)).isZero();
    time.pass(KEEP.minus(DAY));
    assertThat(runAll(purger)).isZero();
    assertThat(ledgerIds()).isEqualTo(kept);

    time.pass(MILLISECOND);
    assertThat(runAll(purger)).isEqualTo(1);
  }

  @Test
  void oneRunDeletesAPortionOldestFirstAndAsksForMore() {
    List<Long> rows = ended(70, OLD);
    Purger purger = purger();

    assertThat(purger.runOnce(time.millis()))
        .isEqualTo(new Purger.Purged(Map.of("the ledger", 30L), true));
    assertThat(ledgerIds()).isEqualTo(rows.subList(30, 70));
    assertThat(purger.runOnce(time.millis()))
        .isEqualTo(new Purger.Purged(Map.of("the ledger", 30L), true));
    assertThat(ledgerIds()).isEqualTo(rows.subList(60, 70));
    assertThat(runAll(purger)).isEqualTo(10);
  }

  /** More of them than a run looks at. */
  @Test
  void rowsOfLongRunsHoldNothingUp() {
    List<Long> longRuns = ended(95, KEEP.multipliedBy(2), DAY);
    ended(25, OLD);
    Purger purger = purger();

    assertThat(runAll(purger)).isEqualTo(25);
    assertThat(ledgerIds()).isEqualTo(longRuns);

    time.pass(KEEP);
    assertThat(runAll(purger)).as("found again by the next sweep").isEqualTo(95);
  }

  @ParameterizedTest
  @EnumSource(
      names = {"NONE", "COMMITTED_IN_SILENCE", "ROLLED_BACK_IN_SILENCE"},
      mode = EnumSource.Mode.EXCLUDE)
  void faultInTheMiddleLeavesTheRestForTheNextRun(Fault fault) {
    List<Long> young = ended(5, DAY);
    List<Long> old = ended(25, OLD);
    logged(3, OLD);
    Purger purger = purger();

    transactions.failAfter(1, fault);
    assertThatThrownBy(() -> purger.runOnce(time.millis())).isInstanceOf(StoreException.class);

    int deleted = fault == Fault.COMMITTED_OUT_OF_REACH ? 20 : 10;
    assertThat(ledgerIds()).startsWith(old.get(deleted)).endsWith(young.toArray(Long[]::new));
    assertThat(stores.jobLog().deleteBelow(Long.MAX_VALUE, 10))
        .as("a table that fails keeps no other from its turn")
        .isZero();
    assertThat(purger.runOnce(time.millis()).rows().getOrDefault("the ledger", 0L))
        .isEqualTo(25 - deleted);
    assertThat(ledgerIds()).isEqualTo(young);
  }

  @Test
  void everyTableThatFailsIsToldOf() {
    transactions.failAll(Fault.UNREACHABLE);

    assertThatThrownBy(() -> purger().runOnce(time.millis()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("purge the ledger")
        .satisfies(
            failure ->
                assertThat(failure.getSuppressed())
                    .extracting(Throwable::getMessage)
                    .containsExactly(
                        "purge dead triggers: no connection",
                        "purge results: no connection",
                        "purge job logs: no connection",
                        "purge feedback: no connection",
                        "purge workers: no connection",
                        "purge the counts of minutes: no connection",
                        "purge the counts of hours: no connection",
                        "purge the submissions of former versions: no connection",
                        "purge relays: no connection",
                        "purge old declarations: no connection",
                        "purge versions of jobs: no connection",
                        "purge bulk changes: no connection",
                        "purge the audit: no connection"));
  }
}
