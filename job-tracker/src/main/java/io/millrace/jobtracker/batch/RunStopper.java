package io.millrace.jobtracker.batch;

import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchStop;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchStore.LockedBatch;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Stops the runs of a task id, in the transaction of the caller: executions are asked to stop. Of a
 * run that was split, the parts that wait are deleted, those never released end as one row of the
 * ledger, and those that run are asked to stop; the run ends when these have ended. Parts that were
 * split themselves are stopped in further transactions. Thread-safe.
 */
public final class RunStopper {
  private static final int MOST_BATCHES = 1_000;

  private final Stores stores;
  private final CompletionRecorder recorder;
  private final IdSequence ids;

  public RunStopper(Stores stores, IdSequence ids) {
    this.stores = stores;
    this.recorder = new CompletionRecorder(stores, ids);
    this.ids = ids;
  }

  /**
   * Stops what runs of a job that was cancelled; after the commit, {@link #stopBelow} follows.
   *
   * @return the ids of its runs, and of executions of their parts
   */
  public List<Long> cancel(String nodeGroup, String taskId, long now) {
    List<Long> stopped = new ArrayList<>(stopExecutions(nodeGroup, taskId, null, ""));
    stopped.addAll(stopBatches(nodeGroup, taskId, null, "", now));
    return stopped;
  }

  /**
   * Terminates runs of a job; after the commit, {@link #stopBelow} follows.
   *
   * @param runId only this execution, or run that was split; null means all
   * @param by who terminates them
   * @return the ids of these runs, and of executions of their parts
   */
  public List<Long> terminate(
      String nodeGroup, String taskId, @Nullable Long runId, String by, long now) {
    List<Long> stopped = new ArrayList<>(stopExecutions(nodeGroup, taskId, runId, by));
    stopped.addAll(stopBatches(nodeGroup, taskId, runId, by, now));
    return stopped;
  }

  /** Writes before it reads: an execution that the write does not find has ended before. */
  private List<Long> stopExecutions(
      String nodeGroup, String taskId, @Nullable Long runId, String by) {
    int found =
        by.isEmpty()
            ? stores.executing().requestStop(nodeGroup, taskId)
            : stores.executing().terminate(nodeGroup, taskId, runId, by);
    return found == 0
        ? List.of()
        : stores.executing().findByTasks(nodeGroup, List.of(taskId)).stream()
            .filter(execution -> by.isEmpty() || execution.terminatedBy() != null)
            .map(Execution::id)
            .filter(id -> runId == null || runId.equals(id))
            .toList();
  }

  private List<Long> stopBatches(
      String nodeGroup, String taskId, @Nullable Long runId, String by, long now) {
    List<Long> stopped = new ArrayList<>();
    for (Batch batch : stores.batches().findByTask(nodeGroup, taskId, MOST_BATCHES)) {
      if (runId == null || runId == batch.id()) {
        LockedBatch locked = stores.batches().lock(List.of(batch.id())).get(batch.id());
        if (locked == null) {
          throw new RaceLostException("batch " + batch.id() + " ended in the meantime");
        }
        stopped.addAll(stop(batch, locked, BatchStop.CANCELLED, by, now));
      }
    }
    return stopped;
  }

  /**
   * Stops a run that was split and those below it, each in a transaction of its own.
   *
   * @return the ids of these runs, and of executions of their parts
   */
  public List<Long> stopAll(String nodeGroup, long batchId, BatchStop why, long now) {
    List<Long> stopped = new ArrayList<>(stopAlone(nodeGroup, batchId, why, now));
    stopped.addAll(stopBelow(nodeGroup, List.of(batchId), now));
    return stopped;
  }

  /**
   * Stops the runs below these that were stopped, each in a transaction of its own. No further run
   * comes below a run that was stopped; so none is missed, and one that a fault left out is found
   * by who calls this again.
   *
   * @param above ids of runs; those that have no parts are ignored
   * @return the ids of the runs that were stopped, and of executions of their parts
   */
  public List<Long> stopBelow(String nodeGroup, Collection<Long> above, long now) {
    List<Long> stopped = new ArrayList<>();
    List<Long> level = List.copyOf(above);
    while (!level.isEmpty()) {
      level = stores.batches().findBelow(level);
      for (long id : level) {
        stopped.addAll(stopAlone(nodeGroup, id, BatchStop.CANCELLED, now));
      }
    }
    return stopped;
  }

  /** Does nothing if the batch is not open; one that is stopping asked its executions to stop. */
  private List<Long> stopAlone(String nodeGroup, long batchId, BatchStop why, long now) {
    return RaceLostException.retrying(
        () ->
            stores
                .transactions()
                .repeating("stop a batch of " + nodeGroup, () -> stopOnce(batchId, why, now)));
  }

  private List<Long> stopOnce(long batchId, BatchStop why, long now) {
    LockedBatch locked = stores.batches().lock(List.of(batchId)).get(batchId);
    if (locked == null || !locked.isOpen()) {
      return List.of();
    }
    Batch batch = stores.batches().find(List.of(batchId)).get(0);
    return stop(batch, locked, why, terminatedBy(batch), now);
  }

  /** Who terminated the run above; empty if nobody did. */
  private String terminatedBy(Batch batch) {
    Long above = batch.ancestry().parent();
    return above == null
        ? ""
        : stores.batches().find(List.of(above)).stream()
            .map(parent -> parent.run().terminatedBy())
            .filter(Objects::nonNull)
            .findFirst()
            .orElse("");
  }

  private List<Long> stop(Batch seen, LockedBatch locked, BatchStop why, String by, long now) {
    if (locked.isOpen()) {
      withdraw(seen, locked, why, by, now);
    }
    List<Long> stopped = new ArrayList<>(List.of(seen.id()));
    stopped.addAll(stopExecutions(seen.nodeGroup(), PartKey.taskIdOf(seen.id()), null, by));
    return stopped;
  }

  private void withdraw(Batch seen, LockedBatch locked, BatchStop why, String by, long now) {
    List<WaitingTrigger> waiting =
        stores.waiting().findByTask(seen.nodeGroup(), PartKey.taskIdOf(seen.id()));
    List<Long> rowIds = waiting.stream().map(WaitingTrigger::id).toList();
    if (stores.waiting().delete(seen.nodeGroup(), rowIds) != rowIds.size()
        || !stores.batches().stop(seen.id(), why, rowIds.size(), by)) {
      throw new RaceLostException("a part of batch " + seen.id() + " was claimed");
    }
    boolean unused = recorder.record(ends(seen, locked, waiting, now), now);
  }

  private List<TriggerCompletion> ends(
      Batch seen, LockedBatch locked, List<WaitingTrigger> waiting, long now) {
    Cause cause = Cause.of(CauseCode.BATCH_STOPPED);
    TriggerSpec ofParts = seen.specOfParts();
    List<TriggerCompletion> ends = new ArrayList<>();
    for (WaitingTrigger row : waiting) {
      ids.observe(row.id());
      TriggerSpec spec = row.spec() == null ? ofParts : row.spec();
      ends.add(
          TriggerCompletion.ofWaiting(
              ids.next(now), seen.nodeGroup(), row, spec, LedgerStatus.CANCELLED, cause, now));
    }
    int unreleased = locked.counts().unreleased();
    if (unreleased > 0) {
      int first = locked.counts().released() + 1;
      WaitingTrigger row = seen.part(first, ids.next(now), StoredParams.NONE, now);
      ends.add(
          TriggerCompletion.ofUnreleased(seen.nodeGroup(), row, ofParts, unreleased, cause, now));
    }
    return ends;
  }
}
