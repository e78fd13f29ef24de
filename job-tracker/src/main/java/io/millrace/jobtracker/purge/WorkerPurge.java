package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.console.WorkerStore.Swept;
import io.millrace.jobtracker.store.console.WorkerStore.WorkerKey;
import java.time.Duration;

/** Deletes workers that have not pulled for an hour. Not thread-safe. */
final class WorkerPurge {
  static final Duration KEEP = Duration.ofHours(1);

  private final Stores stores;
  private final PurgeBounds portions;
  private WorkerKey last = WorkerKey.FIRST;

  WorkerPurge(Stores stores, PurgeBounds portions) {
    this.stores = stores;
    this.portions = portions;
  }

  /** Continues where the last run ended, and restarts after the last worker. */
  DeleteResult runOnce(long now) {
    long deleted = 0;
    for (int i = 0; i < portions.chunksPerRun(); i++) {
      WorkerKey after = last;
      Swept swept =
          stores
              .transactions()
              .repeating(
                  "purge workers",
                  () ->
                      stores
                          .console()
                          .fleet()
                          .workers()
                          .deleteGone(after, portions.chunk(), now - KEEP.toMillis()));
      deleted += swept.deleted();
      WorkerKey lookedAt = swept.last();
      if (lookedAt == null || swept.lookedAt() < portions.chunk()) {
        last = WorkerKey.FIRST;
        return new DeleteResult(deleted, false);
      }
      last = lookedAt;
    }
    return new DeleteResult(deleted, true);
  }
}
