package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.Stores;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Deletes stored parts of runs that ended some time ago, and copies of them that were never opened
 * as a run. Until then a replay of the run may take over their results. Not thread-safe.
 */
final class PartPurge {
  /** Parts are kept this much longer than a replay may begin: it copies them first. */
  static final Duration MARGIN = Duration.ofHours(1);

  private static final int BATCHES = 100;

  private final Stores stores;
  private final long keep;
  private final PurgeBounds portions;
  private long last = Long.MIN_VALUE;

  PartPurge(Stores stores, Duration keep, PurgeBounds portions) {
    this.stores = stores;
    this.keep = keep.plus(MARGIN).toMillis();
    this.portions = portions;
  }

  /** Continues where the last run ended, and restarts after the last batch that has parts. */
  DeleteResult runOnce(long now) {
    long deleted = 0;
    for (int i = 0; i < portions.chunksPerRun(); i++) {
      List<Long> ids = stores.parts().batches(last, BATCHES);
      Set<Long> kept = kept(ids, now);
      for (long id : ids) {
        if (!kept.contains(id) && id < IdSequence.lowestAt(now - MARGIN.toMillis())) {
          DeleteResult some = portions.delete(() -> stores.parts().delete(id, portions.chunk()));
          deleted += some.rows();
          if (some.more()) {
            return new DeleteResult(deleted, true);
          }
        }
        last = id;
      }
      if (ids.size() < BATCHES) {
        last = Long.MIN_VALUE;
        return new DeleteResult(deleted, false);
      }
    }
    return new DeleteResult(deleted, true);
  }

  /** Batches are read before the ledger: that is the way a run goes. */
  private Set<Long> kept(List<Long> ids, long now) {
    Set<Long> kept = new HashSet<>();
    if (!ids.isEmpty()) {
      stores.batches().find(ids).stream().map(Batch::id).forEach(kept::add);
      stores.ledger().find(ids).stream()
          .filter(row -> row.times().finishedAt() > now - keep)
          .map(LedgerEntry::id)
          .forEach(kept::add);
    }
    return kept;
  }
}
