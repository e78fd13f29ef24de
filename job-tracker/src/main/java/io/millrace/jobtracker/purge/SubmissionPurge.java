package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.store.Stores;

/**
 * Deletes the submission ids of former versions of jobs. They are kept after the replacement for as
 * long as ledger rows are, which is longer than any client resends a submit.
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
