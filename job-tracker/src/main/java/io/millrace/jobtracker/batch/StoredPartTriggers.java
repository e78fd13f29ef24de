package io.millrace.jobtracker.batch;

import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.Part;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.PartOf;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.Submission;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.Stores;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the triggers of stored parts, replays of dead parts among them. Thread-safe. */
public final class StoredPartTriggers {
  private final Stores stores;
  private final IdSequence ids;

  public StoredPartTriggers(Stores stores, IdSequence ids) {
    this.stores = stores;
    this.ids = ids;
  }

  /** A part as it waits for its first attempt, released now. */
  public WaitingTrigger of(Batch batch, Part part, long now) {
    int number = part.key().number();
    StoredParams params = paramsOf(batch, part);
    if (part.replayOf() != null) {
      TriggerSpec spec = specOf(batch, part, part.replayOf());
      return batch.replay(number, ids.next(now), spec, params, now);
    }
    return batch.kind() == BatchKind.BROADCAST
        ? batch.boundPart(number, ids.next(now), workerOf(batch, number), now)
        : batch.part(number, ids.next(now), part.handler(), params, now);
  }

  /**
   * A part that no handler made has the parameters of its run, unless it is the replay of one with
   * others.
   */
  private static StoredParams paramsOf(Batch batch, Part part) {
    return batch.kind() != BatchKind.MAP && part.params().bytes() == 0
        ? batch.run().params()
        : part.params();
  }

  /** The spec of the dead part; if its row was purged, that of any part. */
  private TriggerSpec specOf(Batch batch, Part part, int place) {
    long deadId = Objects.requireNonNull(part.deadId(), "a replay of nothing");
    Optional<DeadTrigger> found = stores.dead().find(deadId);
    TriggerSpec spec =
        found.map(DeadTrigger::spec).orElseGet(() -> specOf(batch, part.handler(), place));
    PartOf of = Objects.requireNonNull(spec.part(), "a part of nothing");
    String by = found.map(DeadTrigger::settlement).map(Settlement::by).orElse("");
    return spec.replaying(of.inPlaceOf(place), Submission.replay(deadId, by));
  }

  private TriggerSpec specOf(Batch batch, @Nullable String handler, int place) {
    return batch.kind() == BatchKind.BROADCAST
        ? batch.specOfPart(workerOf(batch, place))
        : batch.specOfParts(handler);
  }

  private BoundTo workerOf(Batch batch, int place) {
    return stores.batches().workersOf(batch.id()).get(place - 1);
  }
}
