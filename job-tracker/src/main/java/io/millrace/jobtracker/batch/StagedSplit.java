package io.millrace.jobtracker.batch;

import io.millrace.jobtracker.domain.batch.Ancestry;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchBounds;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchStore.LockedBatch;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits runs whose executions have stored parts, in the transaction that deletes these executions.
 * Not thread-safe: it belongs to the transaction.
 */
public final class StagedSplit {
  private final Stores stores;
  private final PartEnding batches;

  /**
   * @param batches has locked what the executions have staged, and the batches that they belong to
   */
  public StagedSplit(Stores stores, PartEnding batches) {
    this.stores = stores;
    this.batches = batches;
  }

  /**
   * Why a run cannot be split into as many parts as its worker reported; null if it can.
   *
   * @param reported how many parts the attempt has stored; 0 is a run whose parts have all ended
   */
  public @Nullable String faultOf(Execution run, int reported) {
    LockedBatch staged = batches.find(run.id());
    int stored = staged == null ? 0 : staged.counts().total();
    if (reported != stored) {
      return "the worker reported success with %d parts, and %d are stored"
          .formatted(reported, stored);
    }
    return ancestryOf(run).depth() > BatchBounds.MAX_DEPTH
        ? "its run cannot be split: it is a part at depth " + BatchBounds.MAX_DEPTH
        : null;
  }

  private Ancestry ancestryOf(Execution run) {
    LockedBatch above = batches.above(run);
    return above == null
        ? Ancestry.ofRoot(run.id())
        : new Ancestry(above.id(), above.ancestry().root(), above.ancestry().depth() + 1);
  }

  /** Splits a run into the parts that were stored for it; there is no fault. */
  public void open(Execution run, int parts, long now) {
    if (parts == 0) {
      Execution whole =
          run.params().isLeftInStore()
              ? run.withParams(stores.executing().readParams(List.of(run.id())).get(run.id()))
              : run;
      stores.batches().insert(List.of(Batch.opened(whole, BatchKind.MAP, 0, ancestryOf(run), now)));
    } else if (!stores.batches().open(run, parts, now)) {
      throw new RaceLostException("what execution " + run.id() + " staged changed meanwhile");
    }
  }
}
