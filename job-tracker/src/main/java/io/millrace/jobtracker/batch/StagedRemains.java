package io.millrace.jobtracker.batch;

import io.millrace.jobtracker.domain.batch.BatchBounds;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchStore.LockedBatch;
import java.util.List;

/**
 * Deletes what attempts staged that ended without opening it: none of these parts will ever be a
 * trigger. Some at a time, each in a transaction of its own; correct when repeated. Thread-safe.
 */
public final class StagedRemains {
  private static final int BATCHES = 100;

  private final Stores stores;

  public StagedRemains(Stores stores) {
    this.stores = stores;
  }

  /** Deletes what was left in a node group, and returns the number of batches. */
  public int deleteAll(String nodeGroup) {
    int deleted = 0;
    long last = Long.MIN_VALUE;
    List<Long> page;
    do {
      page = stores.batches().findLeftStaged(nodeGroup, last, BATCHES);
      for (long id : page) {
        last = id;
        deleted += delete(nodeGroup, id) ? 1 : 0;
      }
    } while (page.size() == BATCHES);
    return deleted;
  }

  private boolean delete(String nodeGroup, long id) {
    boolean more;
    do {
      more =
          stores
              .transactions()
              .repeating("delete staged parts of " + nodeGroup, () -> deleteSome(id));
    } while (more);
    return stores
        .transactions()
        .repeating(
            "delete what was staged in " + nodeGroup, () -> stores.batches().deleteStaged(id));
  }

  /**
   * Returns whether there may be more parts. The execution is gone for good, so the batch stays
   * staged; it is locked and looked at even so, because these deletes cannot be undone.
   */
  private boolean deleteSome(long id) {
    LockedBatch locked = stores.batches().lock(List.of(id)).get(id);
    return locked != null
        && locked.state() == BatchState.STAGED
        && stores.executing().find(List.of(id)).isEmpty()
        && stores.parts().delete(id, BatchBounds.MAX_PARTS_AT_ONCE)
            == BatchBounds.MAX_PARTS_AT_ONCE;
  }
}
