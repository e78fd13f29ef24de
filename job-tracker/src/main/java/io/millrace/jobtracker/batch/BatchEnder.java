package io.millrace.jobtracker.batch;

import io.millrace.jobtracker.disposition.ChainedTriggers;
import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.disposition.HeldTriggers;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.BatchOutcome;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.outcome.TriggerCompletion;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.engine.EngineContext;
import io.millrace.jobtracker.store.JobStore.LockedJob;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.RaceLostException;
import io.millrace.jobtracker.store.kept.KeptStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ends runs whose parts have all ended, each in a transaction of its own: the one that ended the
 * last part holds rows of other triggers, and cannot wait for the job's row. Whoever deletes the
 * row of the batch ends the run; so it ends once, however many try. Thread-safe.
 */
public final class BatchEnder {
  private final Stores stores;
  private final CompletionRecorder recorder;
  private final ChainedTriggers chained;
  private final HeldTriggers held;
  private final IdSequence ids;

  public BatchEnder(EngineContext engine) {
    this.stores = engine.stores();
    this.ids = engine.ids();
    this.recorder = new CompletionRecorder(stores, ids);
    this.chained = new ChainedTriggers(stores.jobs(), engine.planner(), ids);
    this.held = new HeldTriggers(stores.jobs(), stores.waiting(), ids);
  }

  /**
   * The end of a run.
   *
   * @param stored triggers that follow it
   * @param hasFeedback whether there is feedback to push
   */
  public record Ended(long batchId, List<WaitingTrigger> stored, boolean hasFeedback) {}

  /** Ends a run of a node group; empty if it has ended before, or if parts are left. */
  public Optional<Ended> end(String nodeGroup, long batchId, long now) {
    return RaceLostException.retrying(
        () ->
            stores
                .transactions()
                .inTransaction(
                    "end a batch of " + nodeGroup,
                    () -> endOnce(batchId, now),
                    ended -> ended.isEmpty() || isStored(batchId)));
  }

  private boolean isStored(long batchId) {
    return stores.batches().lock(List.of(batchId)).isEmpty()
        && !stores.ledger().find(List.of(batchId)).isEmpty();
  }

  /** Locks the job's row before that of the batch, for its turn and the next trigger of a chain. */
  private Optional<Ended> endOnce(long batchId, long now) {
    Optional<Batch> seen = find(batchId);
    if (seen.isEmpty()) {
      return Optional.empty();
    }
    Execution run = seen.get().run();
    LockedJob job =
        run.isOfRecurringJob() ? stores.jobs().lock(List.of(run.jobId())).get(run.jobId()) : null;
    Optional<Batch> batch =
        stores.batches().lock(List.of(batchId)).isEmpty() ? Optional.empty() : find(batchId);
    if (batch.isEmpty() || !stores.batches().deleteEnded(batchId)) {
      return Optional.empty();
    }
    ids.observe(batchId);
    return Optional.of(ended(batch.get(), Optional.ofNullable(job), now));
  }

  private Optional<Batch> find(long batchId) {
    return stores.batches().find(List.of(batchId)).stream()
        .filter(batch -> batch.state().isUnderWay())
        .findFirst();
  }

  private Ended ended(Batch batch, Optional<LockedJob> job, long now) {
    Execution run = batch.runAsItWas();
    BatchOutcome outcome =
        BatchOutcome.of(batch)
            .orElseThrow(() -> new IllegalStateException("batch " + batch.id() + " has a reduce"));
    List<WaitingTrigger> next = new ArrayList<>(chained.next(run, now).stream().toList());
    if (run.counted() && job.isPresent()) {
      held.handOn(run.nodeGroup(), run.key().taskId(), job.get(), 1, now).ifPresent(next::add);
    }
    if (!next.isEmpty()) {
      stores.waiting().insert(run.nodeGroup(), next);
    }
    if (outcome.status() != LedgerStatus.DEAD) {
      int unused = stores.kept().delete(List.of(KeptStore.Run.of(run)));
    }
    TriggerCompletion end =
        TriggerCompletion.ofRun(
            run, outcome.status(), outcome.cause(), batch.kind() == BatchKind.MAP, now);
    return new Ended(batch.id(), next, recorder.record(List.of(end), now));
  }
}
