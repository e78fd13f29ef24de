package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.Stores;

/** Deletes the lines of executions that were claimed too long ago. */
final class JobLogPurge {
  private final Stores stores;
  private final long keepMillis;
  private final Portions portions;

  JobLogPurge(Stores stores, RetentionConfig config, Portions portions) {
    this.stores = stores;
    this.keepMillis = config.jobLogKeep().toMillis();
    this.portions = portions;
  }

  Deleted runOnce(long now) {
    long below = IdSequence.lowestAt(now - keepMillis);
    long total = 0;
    for (int i = 0; i < portions.chunksPerRun(); i++) {
      int deleted =
          stores
              .transactions()
              .repeating(
                  "purge job logs", () -> stores.jobLog().deleteBelow(below, portions.chunk()));
      total += deleted;
      if (deleted < portions.chunk()) {
        return new Deleted(total, false);
      }
    }
    return new Deleted(total, true);
  }
}
