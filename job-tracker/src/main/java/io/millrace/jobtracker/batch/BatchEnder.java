package io.millrace.jobtracker.batch;

import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.disposition.ChainedTriggers;
import io.millrace.jobtracker.disposition.CompletionRecorder;
import io.millrace.jobtracker.disposition.HeldTriggers;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.BatchOutcome;
import io.millrace.jobtracker.domain.batch.BatchProgress;
import io.millrace.jobtracker.domain.batch.Part;
import io.millrace.jobtracker.domain.batch.ReduceState;
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
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ends runs whose parts have all ended, each in a transaction of its own: the one that ended the
 * last part holds rows of other triggers, and cannot wait for the job's row. Whoever deletes the
 * row of the batch ends the run; so it ends once, however many try. If a reduce is to come, its
 * part is released instead. The end of a run that is a part is the end of that part. Thread-safe.
 */
public final class BatchEnder {
  private final Stores stores;
  private final CompletionRecorder recorder;
  private final ChainedTriggers chained;
  private final HeldTriggers held;
  private final IdSequence ids;
  private final Clock clock;

  public BatchEnder(EngineContext engine) {
    this.stores = engine.stores();
    this.clock = engine.time().clock();
    this.ids = engine.ids();
    this.recorder = new CompletionRecorder(stores, ids);
    this.chained = new ChainedTriggers(stores, engine.planner(), ids);
    this.held = new HeldTriggers(stores.jobs(), stores.waiting(), ids);
  }

  /**
   * What followed the end of all parts.
   *
   * @param isOver whether the run has ended; otherwise its reduce follows
   * @param stored triggers that follow
   * @param hasFeedback whether there is feedback to push
   * @param above the progress of the batch that the run was a part of, by its id
   */
  public record Ended(
      long batchId,
      boolean isOver,
      List<WaitingTrigger> stored,
      boolean hasFeedback,
      Map<Long, BatchProgress> above) {}

  /**
   * Ends a run of a node group, or releases its reduce; empty if it has ended before, or if parts
   * are left. The run ends when its row is written, which is after its last part ended: who calls
   * this may have begun before that.
   */
  public Optional<Ended> end(String nodeGroup, long batchId) {
    return RaceLostException.retrying(
        () ->
            stores
                .transactions()
                .inTransaction(
                    "end a batch of " + nodeGroup,
                    () -> endOnce(batchId),
                    ended -> ended.isEmpty() || isStored(nodeGroup, ended.get())));
  }

  /** If the reduce was claimed meanwhile, the work runs again and finds that it was released. */
  private boolean isStored(String nodeGroup, Ended ended) {
    boolean exists = !stores.batches().lock(List.of(ended.batchId())).isEmpty();
    return ended.isOver()
        ? !exists && !stores.ledger().find(List.of(ended.batchId())).isEmpty()
        : exists && stores.waiting().lock(nodeGroup, ended.stored().get(0).id());
  }

  /**
   * Locks the job's row, then the batch of a part, then the batch itself: for its turn, the next
   * trigger of a chain, and the count of the part.
   */
  private Optional<Ended> endOnce(long batchId) {
    Optional<Batch> seen = find(batchId);
    if (seen.isEmpty()) {
      return Optional.empty();
    }
    Execution run = seen.get().run();
    LockedJob job =
        run.isOfRecurringJob() ? stores.jobs().lock(List.of(run.jobId())).get(run.jobId()) : null;
    PartEnding above = PartEnding.lock(stores, List.of(run), List.of(batchId));
    Optional<Batch> batch = find(batchId).filter(found -> found.counts().isAllEnded());
    if (batch.isEmpty()) {
      return Optional.empty();
    }
    long now = clock.millis();
    Optional<BatchOutcome> outcome = BatchOutcome.of(batch.get());
    return outcome.isEmpty()
        ? reduce(batch.get(), now)
        : end(batch.get(), outcome.get(), above, Optional.ofNullable(job), now);
  }

  private Optional<Batch> find(long batchId) {
    return stores.batches().find(List.of(batchId)).stream()
        .filter(batch -> batch.state().isUnderWay())
        .findFirst();
  }

  private Optional<Ended> reduce(Batch batch, long now) {
    if (!stores.batches().releaseReduce(batch.id())) {
      return Optional.empty();
    }
    WaitingTrigger reduce = batch.reducePart(batch.counts().total() + 1, ids.next(now), now);
    stores.waiting().insert(batch.nodeGroup(), List.of(reduce));
    return Optional.of(new Ended(batch.id(), false, List.of(reduce), false, Map.of()));
  }

  private Optional<Ended> end(
      Batch batch, BatchOutcome byParts, PartEnding above, Optional<LockedJob> job, long now) {
    if (!stores.batches().deleteEnded(batch.id())) {
      return Optional.empty();
    }
    ids.observe(batch.id());
    Execution run = batch.run().withOwnParams();
    String result = resultOf(batch, byParts);
    BatchOutcome outcome = above.takes(run, result) ? byParts : BatchOutcome.RESULT_TOO_LARGE;
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
            run,
            batch.places(),
            outcome.status(),
            outcome.cause(),
            batch.kind() == BatchKind.MAP,
            result,
            now);
    boolean hasFeedback = recorder.record(above.count(List.of(end)), now);
    return Optional.of(new Ended(batch.id(), true, next, hasFeedback, above.counted()));
  }

  /** What the reduce returned, which ran as the last part. */
  private @Nullable String resultOf(Batch batch, BatchOutcome outcome) {
    return outcome.status() == LedgerStatus.SUCCEEDED && batch.reduce() == ReduceState.SUCCEEDED
        ? stores.parts().read(batch.id(), batch.counts().total() - 1, 1).stream()
            .findFirst()
            .map(Part::result)
            .orElse(null)
        : null;
  }
}
