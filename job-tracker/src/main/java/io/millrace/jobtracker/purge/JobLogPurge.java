package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.Stores;

/** Deletes the log lines of executions that were claimed too long ago. */
final class JobLogPurge {
  private final Stores stores;
  private final long keepMillis;
  private final PurgeBounds portions;

  JobLogPurge(Stores stores, RetentionConfig config, PurgeBounds portions) {
    this.stores = stores;
    this.keepMillis = config.jobLogKeep().toMillis();
    this.portions = portions;
  }

  DeleteResult runOnce(long now) {
    long below = IdSequence.lowestAt(now - keepMillis);
    return portions.delete(
        () ->
            stores
                .transactions()
                .repeating(
                    "purge job logs", () -> stores.jobLog().deleteBelow(below, portions.chunk())));
  }
}
