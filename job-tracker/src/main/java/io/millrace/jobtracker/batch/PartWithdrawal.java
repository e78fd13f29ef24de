package io.millrace.jobtracker.batch;

import io.millrace.jobtracker.batch.RunStopper.Stopped;
import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.PartCounts;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchStore.LockedBatch;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Withdraws the parts of runs that were told to end: those that wait are deleted, some at a time,
 * and those that run are asked to stop. Nothing of such a batch is written to waiting any more, so
 * that this ends. Transactions of its own; correct when repeated. Thread-safe.
 */
public final class PartWithdrawal {
  /** Parts that one transaction deletes; each gets a row of the ledger. */
  static final int PAGE = 900;

  private final Stores stores;
  private final RunStopper stopper;
  private final CompletionRecorder recorder;
  private final IdSequence ids;
  private final Signals signals;

  public PartWithdrawal(Stores stores, RunStopper stopper, IdSequence ids, Signals signals) {
    this.stores = stores;
    this.stopper = stopper;
    this.recorder = new CompletionRecorder(stores, ids);
    this.ids = ids;
    this.signals = signals;
  }

  /** Finishes a stop that was committed. Nobody is told that the runs were stopped before this. */
  public void finish(String nodeGroup, Stopped stopped, long now) {
    List<Long> batches = stopped.batches();
    for (int i = RunStopper.MOST_BATCHES; i < batches.size(); i += RunStopper.MOST_BATCHES) {
      List<Long> some = batches.subList(i, Math.min(i + RunStopper.MOST_BATCHES, batches.size()));
      boolean unused =
          stores
              .transactions()
              .repeating(
                  "stop batches of " + nodeGroup,
                  () -> {
                    stopper.stopBatches(some, stopped.by(), now);
                    return true;
                  });
    }
    batches.forEach(id -> withdraw(nodeGroup, id, now));
  }

  /** Withdraws the parts of a batch, if it was told to end. */
  public void withdraw(String nodeGroup, long batchId, long now) {
    Step step;
    do {
      step = next(nodeGroup, batchId, now);
    } while (step.more());
    if (step.counts() != null) {
      if (step.terminated()) {
        signals.terminated(nodeGroup, step.stopped());
      } else {
        signals.stopRequested(nodeGroup, step.stopped());
      }
      signals.batchesChanged(nodeGroup, Map.of(batchId, step.counts()));
    }
  }

  /**
   * What one transaction did.
   *
   * @param more whether more parts may wait
   * @param stopped ids of executions that were asked to stop
   * @param counts the batch's counts after the last one; null if it goes on, or is gone
   */
  private record Step(
      boolean more, List<Long> stopped, boolean terminated, @Nullable PartCounts counts) {
    static final Step NOTHING = new Step(false, List.of(), false, null);
    static final Step MORE = new Step(true, List.of(), false, null);
  }

  /** All rows are expected to exist; if one does not, they are deleted one by one. */
  private Step next(String nodeGroup, long batchId, long now) {
    try {
      return inTransaction(nodeGroup, batchId, false, now);
    } catch (RaceLostException e) {
      return inTransaction(nodeGroup, batchId, true, now);
    }
  }

  private Step inTransaction(String nodeGroup, long batchId, boolean rowByRow, long now) {
    return stores
        .transactions()
        .repeating(
            "withdraw parts of " + nodeGroup,
            () -> {
              LockedBatch locked = stores.batches().lock(List.of(batchId)).get(batchId);
              return locked == null || locked.state() != BatchState.STOPPING
                  ? Step.NOTHING
                  : withdrawSome(stores.batches().find(List.of(batchId)).get(0), rowByRow, now);
            });
  }

  /** Executions last: what is claimed meanwhile is among them. */
  private Step withdrawSome(Batch batch, boolean rowByRow, long now) {
    String taskId = PartKey.taskIdOf(batch.id());
    List<WaitingTrigger> page =
        stores.waiting().findByTask(batch.nodeGroup(), taskId, Long.MIN_VALUE, PAGE);
    PartEnds ends = PartEnds.cancelled(delete(batch, page, rowByRow, now));
    if (page.size() == PAGE) {
      return Step.MORE;
    }
    String by = batch.run().terminatedBy();
    List<Long> stopped =
        stopper.stopExecutions(batch.nodeGroup(), taskId, null, by == null ? "" : by);
    return new Step(false, stopped, by != null, batch.counts().ending(ends));
  }

  private int delete(Batch batch, List<WaitingTrigger> page, boolean rowByRow, long now) {
    List<Long> rowIds = page.stream().map(WaitingTrigger::id).toList();
    Set<Long> deleted = deleted(batch, rowIds, rowByRow);
    if (deleted.isEmpty()) {
      return 0;
    }
    stores.batches().countEnds(Map.of(batch.id(), PartEnds.cancelled(deleted.size())));
    Cause cause = Cause.of(CauseCode.BATCH_STOPPED);
    TriggerSpec spec = batch.specOfParts();
    List<TriggerCompletion> ends = new ArrayList<>();
    for (WaitingTrigger row : page) {
      if (deleted.contains(row.id())) {
        ids.observe(row.id());
        ends.add(
            TriggerCompletion.ofWaiting(
                ids.next(now), batch.nodeGroup(), row, spec, LedgerStatus.CANCELLED, cause, now));
      }
    }
    boolean unused = recorder.record(ends, now);
    return deleted.size();
  }

  private Set<Long> deleted(Batch batch, List<Long> rowIds, boolean rowByRow) {
    if (rowByRow) {
      return stores.waiting().deleteEach(batch.nodeGroup(), rowIds);
    }
    if (stores.waiting().delete(batch.nodeGroup(), rowIds) != rowIds.size()) {
      throw new RaceLostException("a part of batch " + batch.id() + " was claimed");
    }
    return Set.copyOf(rowIds);
  }
}
