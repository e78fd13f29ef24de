package io.millrace.jobtracker.submit.change;

import io.millrace.api.PartFailurePolicy;
import io.millrace.jobtracker.domain.batch.BatchBounds;
import io.millrace.jobtracker.domain.batch.BatchProgress;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.Part;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.batch.ReduceState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.trigger.PartOf;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerRecord;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.batch.BatchStore.LockedBatch;
import io.millrace.jobtracker.store.failure.RaceLostException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Adds the replay of a dead part to its batch, as a further part, while the batch is open. The lock
 * on the batch's row decides whether the batch ended before. Thread-safe.
 */
final class PartReplay {
  private final Stores stores;

  PartReplay(Stores stores) {
    this.stores = stores;
  }

  /**
   * The decision on a replay.
   *
   * @param replay the part that was added, as a trigger; null if the batch does not allow it
   * @param progress of the batch after that; null if none was added
   * @param message what happens next, or why the replay is refused and what to do instead
   */
  record Answer(@Nullable TriggerRecord replay, @Nullable BatchProgress progress, String message) {
    private static Answer refused(String why) {
      return new Answer(null, null, why);
    }
  }

  /**
   * Locks the batch and adds the replay.
   *
   * @param own new parameters; null for those of the dead part
   */
  Answer add(DeadTrigger dead, PartKey part, @Nullable StoredParams own) {
    LockedBatch batch = stores.batches().lock(List.of(part.batchId())).get(part.batchId());
    if (batch == null) {
      return Answer.refused(whereItsRunEnded(part));
    }
    if (stores.dead().find(dead.id()).map(DeadTrigger::replay).isPresent()) {
      throw new RaceLostException("dead trigger " + dead.id() + " was replayed in the meantime");
    }
    String refusal = refusal(batch, part);
    if (refusal != null) {
      return Answer.refused(refusal);
    }
    StoredParams params = own == null ? dead.params() : given(own);
    if (batch.bytes() + params.bytes() > BatchBounds.MAX_BYTES) {
      return Answer.refused(
          part + " has no room among the parameters and results of its run; " + replayTheRun(part));
    }
    return add(batch, dead, params);
  }

  /** None means those of the run if the part is a shard, so the empty ones are written out. */
  private static StoredParams given(StoredParams own) {
    return own.bytes() == 0 ? new StoredParams(2, "{}") : own;
  }

  private Answer add(LockedBatch batch, DeadTrigger dead, StoredParams params) {
    TriggerSpec spec = Objects.requireNonNull(dead.spec(), "a part has no spec");
    PartOf of = Objects.requireNonNull(spec.part(), "a part of nothing");
    PartKey place = new PartKey(batch.id(), of.placeOf(dead.key()));
    PartKey next = new PartKey(batch.id(), batch.counts().total() + 1);
    if (!stores.batches().addReplay(batch.id(), batch.counts().total())) {
      throw new RaceLostException("batch " + batch.id() + " changed under its lock");
    }
    stores
        .parts()
        .append(List.of(Part.replay(next, spec.handler(), params, place.number(), dead.id())));
    stores.parts().replace(place, next.number());
    if (params.bytes() > 0) {
      stores.batches().addBytes(Map.of(batch.id(), (long) params.bytes()));
    }
    TriggerCore core = new TriggerCore(next.trigger(), batch.id(), 0, dead.plannedFor(), 1);
    return new Answer(
        () -> core,
        batch.progress(batch.counts().replaying()),
        "runs as part "
            + next.number()
            + " of run "
            + batch.id()
            + ", in place of part "
            + place.number());
  }

  private static @Nullable String refusal(LockedBatch batch, PartKey part) {
    if (batch.state() != BatchState.OPEN) {
      return "the run of " + part + " is being stopped; when it has ended, " + replayTheRun(part);
    }
    if (batch.onPartFailure() == PartFailurePolicy.STOP) {
      return "the run of "
          + part
          + " stops at the first part that fails; when it has ended, "
          + replayTheRun(part);
    }
    return batch.reduce() == ReduceState.NONE || batch.reduce() == ReduceState.TO_COME
        ? null
        : "the reduce of the run of "
            + part
            + " has begun; when the run has ended, and if it is dead, "
            + replayTheRun(part);
  }

  private String whereItsRunEnded(PartKey part) {
    return stores.dead().find(part.batchId()).isPresent()
        ? "the run of " + part + " has ended; " + replayTheRun(part)
        : "the run of " + part + " has ended, and it is not dead; submit its job again";
  }

  private static String replayTheRun(PartKey part) {
    return "replay dead trigger " + part.batchId() + ", which is the run";
  }
}
