package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.store.Stores;
import java.util.List;

/**
 * Deletes dead triggers that are older than the ledger keeps its rows. They are usually deleted
 * with their ledger rows. This purge deletes those whose ledger rows were deleted otherwise: by a
 * person, or by a tracker of a version without dead triggers.
 */
final class DeadPurge {
  private final Stores stores;
  private final long keepMillis;
  private final PurgeBounds portions;

  DeadPurge(Stores stores, RetentionConfig config, PurgeBounds portions) {
    this.stores = stores;
    this.keepMillis = config.ledgerKeep().toMillis();
    this.portions = portions;
  }

  DeleteResult runOnce(long now) {
    long before = now - keepMillis;
    return portions.delete(
        () -> stores.transactions().repeating("purge dead triggers", () -> deleteChunk(before)));
  }

  private int deleteChunk(long before) {
    List<Long> old = stores.dead().findDiedBefore(before, portions.chunk());
    return old.isEmpty() ? 0 : stores.dead().delete(old);
  }
}
