package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.store.Stores;

/**
 * Forgets by which submissions former versions of jobs came, as long after they were replaced as
 * the ledger keeps its rows: that is longer than any client sends a submit again.
 */
final class SubmissionPurge {
  private final Stores stores;
  private final long keepMillis;
  private final PurgeBounds portions;

  SubmissionPurge(Stores stores, RetentionConfig config, PurgeBounds portions) {
    this.stores = stores;
    this.keepMillis = config.ledgerKeep().toMillis();
    this.portions = portions;
  }

  DeleteResult runOnce(long now) {
    return portions.delete(
        () ->
            stores
                .transactions()
                .repeating(
                    "purge the submissions of former versions",
                    () ->
                        stores.jobs().forgetSubmissions(now - keepMillis, portions.chunk(), now)));
  }
}
