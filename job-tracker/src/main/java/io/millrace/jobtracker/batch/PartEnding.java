package io.millrace.jobtracker.batch;

import io.millrace.api.Disposition;
import io.millrace.internal.protocol.KeepRequest;
import io.millrace.jobtracker.domain.batch.BatchBounds;
import io.millrace.jobtracker.domain.batch.BatchProgress;
import io.millrace.jobtracker.domain.batch.Part;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.batch.PartState;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchStore.LockedBatch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The batches of what one transaction ends. Does nothing if no part is among that. Not thread-safe:
 * it belongs to the transaction.
 */
public final class PartEnding {
  private final Stores stores;
  private final Map<Long, LockedBatch> batches;
  private final Map<Long, Long> addedBytes = new HashMap<>();
  private final Map<Long, BatchProgress> countedNow = new HashMap<>();

  private PartEnding(Stores stores, Map<Long, LockedBatch> batches) {
    this.stores = stores;
    this.batches = batches;
  }

  /**
   * Locks batches, after the jobs and before everything else.
   *
   * @param ending what ends: if it is a part, its batch is locked
   * @param others batches to be locked as well
   */
  public static PartEnding lock(
      Stores stores, Collection<Execution> ending, Collection<Long> others) {
    Set<Long> ids = new HashSet<>(others);
    for (Execution execution : ending) {
      PartKey.of(execution.core()).map(PartKey::batchId).ifPresent(ids::add);
    }
    return new PartEnding(stores, ids.isEmpty() ? Map.of() : stores.batches().lock(ids));
  }

  /** A locked batch; null if there is none of this id. */
  @Nullable LockedBatch find(long batchId) {
    return batches.get(batchId);
  }

  /** The locked batch of a part; null if the execution is no part, or if its batch is gone. */
  @Nullable LockedBatch above(Execution execution) {
    return PartKey.of(execution.core()).map(part -> batches.get(part.batchId())).orElse(null);
  }

  /**
   * Whether the trigger may go back to waiting, or be split: one that is no part, or whose batch is
   * open.
   */
  public boolean mayContinue(Execution execution) {
    LockedBatch batch = above(execution);
    return batch == null ? PartKey.of(execution.core()).isEmpty() : batch.isOpen();
  }

  /**
   * Whether there is room for what a part returned; it is taken if there is. To be asked once for
   * each.
   */
  public boolean takes(Execution execution, @Nullable String result) {
    LockedBatch batch = above(execution);
    int bytes = KeepRequest.bytesOf(result);
    if (batch == null || !batch.needsResults() || bytes == 0) {
      return true;
    }
    long all = batch.bytes() + addedBytes.getOrDefault(batch.id(), 0L) + bytes;
    if (all > BatchBounds.MAX_BYTES) {
      return false;
    }
    addedBytes.merge(batch.id(), (long) bytes, Long::sum);
    return true;
  }

  /**
   * Counts the parts among these ends, and stores how they ended where that is read later.
   *
   * @return the ends to record; results that are stored with their parts are not stored twice
   */
  public List<TriggerCompletion> count(List<TriggerCompletion> ends) {
    if (batches.isEmpty()) {
      return ends;
    }
    Map<Long, PartEnds> counted = new HashMap<>();
    List<Part> parts = new ArrayList<>();
    List<TriggerCompletion> rest = new ArrayList<>();
    for (TriggerCompletion end : ends) {
      Disposition disposition = end.row().status().disposition();
      PartKey part = PartKey.of(end.row().core()).orElse(null);
      LockedBatch batch = part == null ? null : batches.get(part.batchId());
      if (part == null || batch == null || disposition == null) {
        rest.add(end);
        continue;
      }
      PartEnds some = counted.merge(batch.id(), PartEnds.of(disposition), PartEnds::plus);
      countedNow.put(batch.id(), batch.progress(batch.counts().ending(some)));
      if (batch.needsResults()) {
        parts.add(Part.ended(part, PartState.after(disposition), end.result()));
      }
      rest.add(batch.needsResults() ? end.withoutResult() : end);
    }
    write(counted, parts);
    return rest;
  }

  private void write(Map<Long, PartEnds> counted, List<Part> parts) {
    if (!counted.isEmpty()) {
      stores.batches().countEnds(counted);
    }
    if (!addedBytes.isEmpty()) {
      stores.batches().addBytes(addedBytes);
    }
    if (!parts.isEmpty()) {
      stores.parts().end(parts);
    }
  }

  /** The progress of the batches whose parts were counted, as it is after that, by id. */
  public Map<Long, BatchProgress> counted() {
    return countedNow;
  }
}
