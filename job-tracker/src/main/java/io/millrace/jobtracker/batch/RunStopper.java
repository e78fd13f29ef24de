package io.millrace.jobtracker.batch;

import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.BatchStop;
import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchStore.LockedBatch;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Stops the runs of a task id, in the transaction of the caller: executions are asked to stop, and
 * runs that were split are told to end. From then on no part of these goes back to waiting, and
 * those never released end as one row of the ledger. Those that wait, and those that run, are left
 * to {@link PartWithdrawal}, to be called before anybody is answered. Thread-safe.
 */
public final class RunStopper {
  /** How many batches one transaction stops, with a row of the ledger each. */
  static final int MOST_BATCHES = 500;

  private final Stores stores;
  private final CompletionRecorder recorder;
  private final IdSequence ids;

  public RunStopper(Stores stores, IdSequence ids) {
    this.stores = stores;
    this.recorder = new CompletionRecorder(stores, ids);
    this.ids = ids;
  }

  /**
   * What was stopped.
   *
   * @param executions ids of executions that were asked to stop
   * @param batches ids of runs that were split, in order; of very many, the first were told to end
   * @param by who terminated them; empty if they were cancelled otherwise
   */
  public record Stopped(List<Long> executions, List<Long> batches, String by) {
    public static final Stopped NOTHING = new Stopped(List.of(), List.of(), "");

    /** How many runs there are. */
    public int runs() {
      return executions.size() + batches.size();
    }
  }

  /** Stops what runs of a job that was cancelled. */
  public Stopped cancel(String nodeGroup, String taskId, long now) {
    return stop(nodeGroup, taskId, null, "", now);
  }

  /**
   * Terminates runs of a job.
   *
   * @param runId only this execution, or run that was split; null means all
   * @param by who terminates them
   */
  public Stopped terminate(
      String nodeGroup, String taskId, @Nullable Long runId, String by, long now) {
    return stop(nodeGroup, taskId, runId, by, now);
  }

  /** Batches first, as everybody writes them; a run that splits meanwhile is found at the end. */
  private Stopped stop(String nodeGroup, String taskId, @Nullable Long runId, String by, long now) {
    List<Long> batches = batches(nodeGroup, taskId, runId);
    stopBatches(
        batches.subList(0, Math.min(MOST_BATCHES, batches.size())), BatchStop.CANCELLED, by, now);
    List<Long> executions = stopExecutions(nodeGroup, taskId, runId, by);
    if (!batches.containsAll(batches(nodeGroup, taskId, runId))) {
      throw new RaceLostException("a run of " + taskId + " was split in the meantime");
    }
    return new Stopped(executions, batches, by);
  }

  private List<Long> batches(String nodeGroup, String taskId, @Nullable Long runId) {
    return stores.batches().findByTask(nodeGroup, taskId).stream()
        .filter(id -> runId == null || runId.equals(id))
        .toList();
  }

  /**
   * Tells those of these batches to end that are open. Of those that were told before, it notes who
   * terminates them: their parts were asked to stop, and are to be interrupted now.
   */
  void stopBatches(List<Long> batchIds, BatchStop why, String by, long now) {
    Map<BatchState, List<LockedBatch>> found =
        batchIds.isEmpty()
            ? Map.of()
            : stores.batches().lock(batchIds).values().stream()
                .collect(Collectors.groupingBy(LockedBatch::state));
    List<LockedBatch> stopping = found.getOrDefault(BatchState.STOPPING, List.of());
    if (!by.isEmpty() && !stopping.isEmpty()) {
      int unused = stores.batches().terminate(idsOf(stopping), by);
    }
    List<LockedBatch> open = found.getOrDefault(BatchState.OPEN, List.of());
    if (!open.isEmpty()) {
      stopOpen(open, why, by, now);
    }
  }

  private static List<Long> idsOf(List<LockedBatch> batches) {
    return batches.stream().map(LockedBatch::id).toList();
  }

  private void stopOpen(List<LockedBatch> open, BatchStop why, String by, long now) {
    int unusedCount = stores.batches().stop(idsOf(open), why, by);
    List<Long> unreleased =
        idsOf(open.stream().filter(batch -> batch.counts().unreleased() > 0).toList());
    if (!unreleased.isEmpty()) {
      Map<Long, LockedBatch> before = LockedBatch.byId(open);
      boolean unused =
          recorder.record(
              stores.batches().find(unreleased).stream()
                  .map(
                      batch ->
                          neverReleased(batch, Objects.requireNonNull(before.get(batch.id())), now))
                  .toList(),
              now);
    }
  }

  private TriggerCompletion neverReleased(Batch batch, LockedBatch before, long now) {
    int first = before.counts().released() + 1;
    WaitingTrigger row = batch.part(first, ids.next(now), StoredParams.NONE, now);
    return TriggerCompletion.ofUnreleased(
        batch.nodeGroup(),
        row,
        batch.specOfParts(),
        before.counts().unreleased(),
        Cause.of(CauseCode.BATCH_STOPPED),
        now);
  }

  /**
   * Writes before it reads: an execution that the write does not find has ended before.
   *
   * @param runId only this execution; null means all
   * @param by who terminates them; empty if they are cancelled otherwise
   */
  List<Long> stopExecutions(String nodeGroup, String taskId, @Nullable Long runId, String by) {
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
}
