package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.Stores;

/**
 * Deletes entries of the audit that are too old. The id of an entry contains the time of writing.
 */
final class AuditPurge {
  private final Stores stores;
  private final long keepMillis;
  private final PurgeBounds portions;

  AuditPurge(Stores stores, RetentionConfig config, PurgeBounds portions) {
    this.stores = stores;
    this.keepMillis = config.auditKeep().toMillis();
    this.portions = portions;
  }

  DeleteResult runOnce(long now) {
    long belowId = IdSequence.lowestAt(now - keepMillis);
    return portions.delete(
        () ->
            stores
                .transactions()
                .repeating(
                    "purge the audit",
                    () -> stores.console().audit().deleteBelow(belowId, portions.chunk())));
  }
}
