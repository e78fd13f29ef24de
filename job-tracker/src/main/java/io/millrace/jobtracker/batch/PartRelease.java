package io.millrace.jobtracker.batch;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.PartCounts;
import io.millrace.jobtracker.domain.batch.ReleaseWindow;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import java.util.List;
import java.util.stream.IntStream;

/** Moves parts into waiting, a window at a time, each in a transaction of its own. Thread-safe. */
public final class PartRelease {
  private final Stores stores;
  private final IdSequence ids;

  public PartRelease(Stores stores, IdSequence ids) {
    this.stores = stores;
    this.ids = ids;
  }

  /**
   * Releases the next parts of a batch if its window is less than half full, and returns them.
   *
   * @param seen the batch as it was read, with all parameters; if parts were released since, none
   *     is released now
   * @param slots of all workers of the node group
   */
  public List<WaitingTrigger> release(Batch seen, int slots, long now) {
    PartCounts counts = seen.counts();
    int more = ReleaseWindow.toRelease(counts, slots);
    return more == 0
        ? List.of()
        : stores
            .transactions()
            .inTransaction(
                "release parts of " + seen.nodeGroup(),
                () -> releaseOnce(seen, counts.released() + more, now),
                rows -> rows.isEmpty() || isStored(seen, rows));
  }

  private List<WaitingTrigger> releaseOnce(Batch seen, int last, long now) {
    int before = seen.counts().released();
    if (!stores.batches().release(seen.id(), before, last)) {
      return List.of();
    }
    List<WaitingTrigger> rows = parts(seen, before + 1, last, ids, now);
    stores.waiting().insert(seen.nodeGroup(), rows);
    return rows;
  }

  /** If a part was claimed meanwhile, the work runs again and finds that it was done. */
  private boolean isStored(Batch seen, List<WaitingTrigger> rows) {
    return stores.waiting().lock(seen.nodeGroup(), rows.get(0).id());
  }

  static List<WaitingTrigger> parts(Batch batch, int first, int last, IdSequence ids, long now) {
    return IntStream.rangeClosed(first, last)
        .mapToObj(number -> batch.part(number, ids.next(now), batch.run().params(), now))
        .toList();
  }
}
