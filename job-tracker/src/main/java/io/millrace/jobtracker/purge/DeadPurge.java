package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.store.Stores;
import java.util.List;

/**
 * Deletes dead triggers that are as old as the ledger gets. They go with their rows of the ledger,
 * as a rule; here go those whose rows were deleted by others: a person, or a tracker that does not
 * know of them.
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
