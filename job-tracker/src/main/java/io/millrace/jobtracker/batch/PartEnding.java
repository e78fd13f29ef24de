package io.millrace.jobtracker.batch;

import io.millrace.api.Disposition;
import io.millrace.jobtracker.domain.batch.PartCounts;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.batch.BatchStore;
import io.millrace.jobtracker.store.batch.BatchStore.LockedBatch;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The batches of the executions that one transaction ends. Does nothing if none of them is a part.
 * Not thread-safe: it belongs to the transaction.
 */
public final class PartEnding {
  private final BatchStore store;
  private final Map<Long, LockedBatch> batches;

  private PartEnding(BatchStore store, Map<Long, LockedBatch> batches) {
    this.store = store;
    this.batches = batches;
  }

  /** Locks the batches, after the jobs and before everything else. */
  public static PartEnding lock(BatchStore store, Collection<Execution> executions) {
    Set<Long> ids =
        executions.stream()
            .flatMap(execution -> PartKey.of(execution.core()).stream())
            .map(PartKey::batchId)
            .collect(Collectors.toSet());
    return new PartEnding(store, ids.isEmpty() ? Map.of() : store.lock(ids));
  }

  /** Whether the trigger may go back to waiting: one that is no part, or whose batch is open. */
  public boolean mayGoBack(Execution execution) {
    return PartKey.of(execution.core())
        .map(part -> batches.get(part.batchId()))
        .map(LockedBatch::isOpen)
        .orElse(PartKey.of(execution.core()).isEmpty());
  }

  /**
   * Counts the parts that end with these rows; returns the counts of their batches after that, by
   * id.
   */
  public Map<Long, PartCounts> count(Collection<LedgerEntry> rows) {
    Map<Long, PartEnds> ends = new HashMap<>();
    for (LedgerEntry row : rows) {
      Disposition end = row.status().disposition();
      PartKey part = PartKey.of(row.core()).orElse(null);
      if (part != null && end != null && batches.containsKey(part.batchId())) {
        ends.merge(part.batchId(), PartEnds.of(end), PartEnds::plus);
      }
    }
    if (!ends.isEmpty()) {
      store.countEnds(ends);
    }
    Map<Long, PartCounts> after = new HashMap<>();
    batches.forEach(
        (id, batch) -> {
          PartEnds some = ends.get(id);
          if (some != null) {
            after.put(id, batch.counts().ending(some));
          }
        });
    return after;
  }
}
