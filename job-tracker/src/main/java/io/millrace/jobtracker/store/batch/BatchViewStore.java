package io.millrace.jobtracker.store.batch;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchStats;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is shown of batches and their parts. Reads only; each read is bounded. */
public interface BatchViewStore {

  /**
   * The batches under way behind an id, in order of id, parameters left in the store, at most
   * limit.
   *
   * @param nodeGroup those of this node group; null for any
   */
  List<Batch> list(@Nullable String nodeGroup, AgeOrder order, long behindId, int limit);

  /** As {@link #list(String, AgeOrder, long, int)}, the oldest first. */
  default List<Batch> list(@Nullable String nodeGroup, long aboveId, int limit) {
    return list(nodeGroup, AgeOrder.OLDEST_FIRST, aboveId, limit);
  }

  /** The batches of these ids, staged ones too, parameters left in the store. */
  List<Batch> find(Collection<Long> ids);

  /**
   * How many parts of these batches of a node group run, at workers or split in turn; batches of
   * which none does are omitted. Reads as many rows as it counts, which the window of released
   * parts bounds.
   */
  Map<Long, Integer> countRunning(String nodeGroup, Collection<Long> batchIds);

  /** The figures of the batches under way of a node group, of at most so many. */
  BatchStats stats(String nodeGroup, int maxRows, long now);

  /**
   * Rows of the ledger about parts of one batch.
   *
   * @param parts how many parts the rows stand for, by status; those of attempts included
   * @param isCut whether there may be more rows
   */
  record Ends(Map<LedgerStatus, Long> parts, boolean isCut) {}

  /** Counts the rows of the ledger about parts of a batch, at most so many. */
  Ends countEnds(long batchId, int maxRows);
}
