package io.millrace.jobtracker.purge;

import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerRecord;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.kept.KeptStore.KeptRun;
import io.millrace.jobtracker.store.kept.KeptStore.Run;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Deletes what runs kept whose triggers live nowhere: they have ended, and no replay can need it.
 * Most is deleted with the end of the trigger; this finds the rest. Not thread-safe.
 */
final class KeptPurge {
  /** A run that kept something within this time is not looked at. */
  static final Duration QUIET = Duration.ofHours(1);

  /** The most ledger rows that are read of a trigger; one that has more is left alone. */
  private static final int MOST_ENDS = 1_000;

  private static final int PORTION_PART = 10;

  private final Stores stores;
  private final PurgeBounds portions;
  private Run last = Run.FIRST;

  KeptPurge(Stores stores, PurgeBounds portions) {
    this.stores = stores;
    this.portions = portions;
  }

  /** Continues where the last run ended, and restarts after the last run that keeps something. */
  DeleteResult runOnce(long now) {
    int limit = Math.max(1, portions.chunk() / PORTION_PART);
    long deleted = 0;
    for (int i = 0; i < portions.chunksPerRun(); i++) {
      List<KeptRun> seen = stores.kept().runs(last, limit);
      List<Run> over =
          seen.stream()
              .filter(kept -> kept.lastAt() < now - QUIET.toMillis() && isOver(kept))
              .map(KeptRun::run)
              .toList();
      deleted += over.isEmpty() ? 0 : stores.kept().delete(over);
      if (seen.size() < limit) {
        last = Run.FIRST;
        return new DeleteResult(deleted, false);
      }
      last = seen.get(seen.size() - 1).run();
    }
    return new DeleteResult(deleted, true);
  }

  private boolean isOver(KeptRun kept) {
    Optional<Long> batch = PartKey.batchOf(kept.taskId());
    return batch.isPresent() ? !isUnderWay(batch.get()) : livesNowhere(kept);
  }

  /** Parts live, and are replayed, as long as their run is under way. */
  private boolean isUnderWay(long batchId) {
    return !stores.batches().find(List.of(batchId)).isEmpty();
  }

  /**
   * Whether the trigger lives nowhere. Without a final row in the ledger, the trigger is looked for
   * in the order in which it moves; if it moved back meanwhile, the ledger has a new row.
   */
  private boolean livesNowhere(KeptRun kept) {
    List<LedgerEntry> ends = endsOf(kept);
    if (ends.size() >= MOST_ENDS) {
      return false;
    }
    Optional<LedgerEntry> end = ends.stream().filter(row -> row.status().isFinal()).findFirst();
    if (end.isPresent()) {
      return end.get().status() != LedgerStatus.DEAD || !mayBeReplayed(end.get().id());
    }
    return !lives(kept) && endsOf(kept).equals(ends);
  }

  private List<LedgerEntry> endsOf(KeptRun kept) {
    return stores
        .ledger()
        .findLatest(kept.run().jobId(), kept.plannedFor(), kept.plannedFor(), MOST_ENDS)
        .stream()
        .filter(row -> Run.of(row).equals(kept.run()))
        .toList();
  }

  private boolean mayBeReplayed(long deadId) {
    return stores.dead().find(List.of(deadId)).stream()
        .map(DeadTrigger::state)
        .anyMatch(state -> state != DeadState.REPLAYED);
  }

  private boolean lives(KeptRun kept) {
    String group = kept.nodeGroup();
    TriggerKey before =
        new TriggerKey(kept.taskId(), kept.run().plannedAt(), kept.run().ordinal() - 1);
    boolean waits =
        stores.nodeGroups().find(group).isPresent()
            && isFirst(kept, stores.waiting().readByTask(group, before, 1));
    return waits || isFirst(kept, stores.runs().readByTask(group, before, 1));
  }

  private static boolean isFirst(KeptRun kept, List<? extends TriggerRecord> rows) {
    return rows.stream().anyMatch(row -> Run.of(row).equals(kept.run()));
  }
}
