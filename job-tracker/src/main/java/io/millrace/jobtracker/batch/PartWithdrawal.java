package io.millrace.jobtracker.batch;

import io.millrace.jobtracker.batch.RunStopper.Stopped;
import io.millrace.jobtracker.domain.batch.BatchProgress;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.BatchStop;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.CompletionRules;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.Signals;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchStore.LockedBatch;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Withdraws the parts of runs that were told to end: those that wait are deleted, some at a time,
 * and those that run are asked to stop. Nothing of such a batch is written to waiting any more, so
 * that this ends. Transactions of its own; correct when repeated. Thread-safe.
 */
public final class PartWithdrawal {
  /**
   * Parts that one transaction deletes; each gets a row of the ledger, and writes its own if the
   * run has a reduce. The last page is followed by the rows of the executions, as many as the
   * window has left.
   */
  static final int PAGE = 400;

  private final Stores stores;
  private final RunStopper stopper;
  private final WaitingPartEnds ends;
  private final Signals signals;

  public PartWithdrawal(Stores stores, RunStopper stopper, IdSequence ids, Signals signals) {
    this.stores = stores;
    this.stopper = stopper;
    this.ends = new WaitingPartEnds(stores, ids);
    this.signals = signals;
  }

  /** Finishes a stop that was committed. Nobody is told that the runs were stopped before this. */
  public void finish(String nodeGroup, Stopped stopped, long now) {
    List<Long> batches = stopped.batches();
    for (int i = RunStopper.MOST_BATCHES; i < batches.size(); i += RunStopper.MOST_BATCHES) {
      List<Long> some = batches.subList(i, Math.min(i + RunStopper.MOST_BATCHES, batches.size()));
      tellToEnd(nodeGroup, some, BatchStop.CANCELLED, stopped.by(), now);
    }
    batches.forEach(id -> withdraw(nodeGroup, id, now));
  }

  /** Stops a run that was split, if it is open, and withdraws its parts. */
  public void stop(String nodeGroup, long batchId, BatchStop why, long now) {
    tellToEnd(nodeGroup, List.of(batchId), why, "", now);
    withdraw(nodeGroup, batchId, now);
  }

  private void tellToEnd(
      String nodeGroup, List<Long> batchIds, BatchStop why, String by, long now) {
    boolean unused =
        stores
            .transactions()
            .repeating(
                "stop batches of " + nodeGroup,
                () -> {
                  stopper.stopBatches(batchIds, why, by, now);
                  return true;
                });
  }

  /**
   * Withdraws the parts of a batch, if it was told to end, and stops the runs below: no part of it
   * is split any more, so none is missed.
   */
  public void withdraw(String nodeGroup, long batchId, long now) {
    String by = withdrawOwn(nodeGroup, batchId, now);
    if (by == null) {
      return;
    }
    List<Long> below = stores.batches().findBelow(List.of(batchId));
    for (int i = 0; i < below.size(); i += RunStopper.MOST_BATCHES) {
      List<Long> some = below.subList(i, Math.min(i + RunStopper.MOST_BATCHES, below.size()));
      tellToEnd(nodeGroup, some, BatchStop.CANCELLED, by, now);
    }
    below.forEach(id -> withdraw(nodeGroup, id, now));
  }

  /** Returns who terminated the run, empty if nobody did; null if the batch is not stopping. */
  private @Nullable String withdrawOwn(String nodeGroup, long batchId, long now) {
    Step step;
    do {
      step = next(nodeGroup, batchId, now);
    } while (step.more());
    if (step.progress() == null) {
      return null;
    }
    if (step.by().isEmpty()) {
      signals.stopRequested(nodeGroup, step.stopped());
    } else {
      signals.terminated(nodeGroup, step.stopped());
    }
    signals.batchesChanged(nodeGroup, Map.of(batchId, step.progress()));
    return step.by();
  }

  /**
   * What one transaction did.
   *
   * @param more whether more parts may wait
   * @param stopped ids of executions that were asked to stop
   * @param by who terminated the run; empty if nobody did
   * @param progress of the batch after the last one; null if it goes on, or is gone
   */
  private record Step(
      boolean more, List<Long> stopped, String by, @Nullable BatchProgress progress) {
    static final Step NOTHING = new Step(false, List.of(), "", null);
    static final Step MORE = new Step(true, List.of(), "", null);
  }

  private Step next(String nodeGroup, long batchId, long now) {
    return WaitingPartEnds.inTwoAttempts(
        rowByRow -> inTransaction(nodeGroup, batchId, rowByRow, now));
  }

  private Step inTransaction(String nodeGroup, long batchId, boolean rowByRow, long now) {
    return stores
        .transactions()
        .repeating(
            "withdraw parts of " + nodeGroup,
            () -> {
              PartEnding parts = PartEnding.lock(stores, List.of(), List.of(batchId));
              LockedBatch locked = parts.find(batchId);
              return locked == null || locked.state() != BatchState.STOPPING
                  ? Step.NOTHING
                  : withdrawSome(locked, parts, rowByRow, now);
            });
  }

  /** Executions last: what is claimed meanwhile is among them. */
  private Step withdrawSome(LockedBatch batch, PartEnding parts, boolean rowByRow, long now) {
    String group = batch.nodeGroup();
    String taskId = PartKey.taskIdOf(batch.id());
    List<WaitingTrigger> page = stores.waiting().findByTask(group, taskId, Long.MIN_VALUE, PAGE);
    ends.end(group, page, parts, spec -> CompletionRules.withoutItsBatch(), rowByRow, now);
    if (page.size() == PAGE) {
      return Step.MORE;
    }
    String terminatedBy = stores.batches().find(List.of(batch.id())).get(0).run().terminatedBy();
    String by = terminatedBy == null ? "" : terminatedBy;
    List<Long> stopped = stopper.stopExecutions(group, taskId, null, by);
    BatchProgress progress = parts.counted().getOrDefault(batch.id(), batch.progress());
    return new Step(false, stopped, by, progress);
  }
}
