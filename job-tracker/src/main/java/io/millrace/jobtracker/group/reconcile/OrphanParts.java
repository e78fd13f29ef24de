package io.millrace.jobtracker.group.reconcile;

import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.WaitingStore.ListedTrigger;
import io.millrace.jobtracker.store.batch.BatchStore.LockedBatch;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Deletes waiting parts of runs that are gone, and ends them: workers would run them for nothing.
 * Thread-safe.
 */
final class OrphanParts {
  /** Rows that one transaction deletes. */
  private static final int PAGE = 900;

  private final JobRepair repair;
  private final Stores stores;
  private final CompletionRecorder recorder;

  OrphanParts(JobRepair repair) {
    this.repair = repair;
    this.stores = repair.stores();
    this.recorder = new CompletionRecorder(stores, repair.ids());
  }

  /** The triggers are read before their batches: a part just written finds its batch. */
  void check(List<ListedTrigger> triggers, long now, ReconcileReport findings) {
    Set<Long> batchIds =
        triggers.stream()
            .filter(row -> row.jobVersion() == 0 && row.key().isExtra())
            .map(ListedTrigger::jobId)
            .collect(Collectors.toCollection(TreeSet::new));
    if (batchIds.isEmpty()) {
      return;
    }
    Map<Long, LockedBatch> found = stores.batches().look(batchIds);
    for (long id : batchIds) {
      if (!isUnderWay(found.get(id))) {
        findings.attempt(nameOf(id), () -> takeAway(id, now, findings));
      }
    }
  }

  private static boolean isUnderWay(@Nullable LockedBatch batch) {
    return batch != null && batch.state().isUnderWay();
  }

  private String nameOf(long batchId) {
    return repair.group() + "/" + PartKey.taskIdOf(batchId);
  }

  private void takeAway(long batchId, long now, ReconcileReport findings) {
    int taken = 0;
    int some;
    do {
      some = repair.inTransaction("parts of " + nameOf(batchId), () -> takeAwayOnce(batchId, now));
      taken += some;
    } while (some == PAGE);
    if (taken > 0) {
      findings.repaired(
          Inconsistency.PART_WITHOUT_BATCH,
          taken,
          "%s: %d parts waited although their run is gone; they were deleted, and recorded as ended"
              .formatted(nameOf(batchId), taken));
    }
  }

  private int takeAwayOnce(long batchId, long now) {
    if (isUnderWay(stores.batches().lock(List.of(batchId)).get(batchId))) {
      return 0;
    }
    List<WaitingTrigger> rows =
        stores
            .waiting()
            .findByTask(repair.group(), PartKey.taskIdOf(batchId), Long.MIN_VALUE, PAGE);
    List<Long> rowIds = rows.stream().map(WaitingTrigger::id).toList();
    if (stores.waiting().delete(repair.group(), rowIds) != rowIds.size()) {
      throw new RaceLostException("a part of batch " + batchId + " was claimed");
    }
    List<TriggerCompletion> ends = new ArrayList<>();
    for (WaitingTrigger row : rows) {
      repair.ids().observe(row.id());
      ends.add(
          TriggerCompletion.ofWaiting(
              repair.ids().next(now),
              repair.group(),
              row,
              Objects.requireNonNull(row.spec(), "a part without a spec"),
              LedgerStatus.CANCELLED,
              Cause.of(CauseCode.BATCH_STOPPED),
              now));
    }
    boolean unused = recorder.record(ends, now);
    return rows.size();
  }
}
