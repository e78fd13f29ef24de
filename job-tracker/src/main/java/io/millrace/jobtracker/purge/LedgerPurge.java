package io.millrace.jobtracker.purge;

import static io.millrace.jobtracker.purge.RetentionConfig.LEAST_LEDGER_KEEP;

import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.Stores;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the ledger rows that are too old, and the oldest rows above the highest number of rows.
 *
 * <p>A count scans as many rows as the ledger may have. So it runs in portions, and starts an hour
 * after the deletions of the last count are complete. Until then, the ledger may exceed its bound
 * by the rows of an hour.
 */
final class LedgerPurge {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerPurge.class);
  private static final long COUNT_PERIOD_MILLIS = Duration.ofHours(1).toMillis();

  private final RetentionConfig config;
  private final LedgerSweep byAge;
  private final LedgerSweep byCount;
  private final LedgerCount count;
  private long nextCountAt = Long.MIN_VALUE;

  LedgerPurge(Stores stores, RetentionConfig config, PurgeBounds portions) {
    this.config = config;
    this.byAge = new LedgerSweep(stores, portions);
    this.byCount = new LedgerSweep(stores, portions);
    this.count = new LedgerCount(stores.ledger(), config.ledgerMaxRows(), portions.countedPerRun());
  }

  DeleteResult runOnce(long now) {
    long before = now - config.ledgerKeep().toMillis();
    DeleteResult aged = byAge.nextPortion(IdSequence.lowestAt(before), before);
    return aged.more() || now < nextCountAt ? aged : aged.plus(countOrDelete(now));
  }

  /** Resets all positions, because other trackers have purged meanwhile. */
  void restart() {
    byAge.restart();
    byCount.restart();
    count.restart();
    nextCountAt = Long.MIN_VALUE;
  }

  private DeleteResult countOrDelete(long now) {
    if (!count.isOver()) {
      count.countOn();
      return new DeleteResult(0, true);
    }
    DeleteResult deleted = count.lowestKept().isEmpty() ? DeleteResult.NOTHING : deleteExcess(now);
    if (!deleted.more()) {
      count.restart();
      nextCountAt = now + COUNT_PERIOD_MILLIS;
    }
    return deleted;
  }

  private DeleteResult deleteExcess(long now) {
    long before = now - LEAST_LEDGER_KEEP.toMillis();
    long young = IdSequence.lowestAt(before);
    long lowestKept = count.lowestKept().orElseThrow();
    DeleteResult deleted = byCount.nextPortion(Math.min(lowestKept, young), before);
    if (!deleted.more() && lowestKept > young) {
      LOG.warn(
          "purge: more than {} rows of the ledger are younger than {}; ledger.max-rows does"
              + " not delete them, because they identify repeated submits",
          config.ledgerMaxRows(),
          LEAST_LEDGER_KEEP);
    }
    return deleted;
  }
}
