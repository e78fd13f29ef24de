package io.millrace.jobtracker.submit.change;

import io.millrace.jobtracker.batch.PartTakeover;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.lane.JobLanes;
import io.millrace.jobtracker.store.Stores;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Replays runs that were split, and keeps what succeeded: the parts are copied first, then the new
 * run is opened as a batch at once. No handler splits it again. Thread-safe.
 */
final class KeepingReplay {
  /** Copied parts that were not opened within this time are not: they may have been purged. */
  static final Duration OPENED_WITHIN = Duration.ofMinutes(30);

  private static final String AS_A_WHOLE = "replay it as a whole";

  private final Stores stores;
  private final IdSequence ids;
  private final PartTakeover takeover;
  private final JobLanes lanes;
  private final Duration keep;

  /**
   * @param keep how long parts are kept after the end of their run
   */
  KeepingReplay(Stores stores, IdSequence ids, Duration keep) {
    this.stores = stores;
    this.ids = ids;
    this.takeover = new PartTakeover(stores);
    this.lanes = new JobLanes(stores.lanes());
    this.keep = keep;
  }

  /**
   * A run whose parts were copied.
   *
   * @param batchId id of the copies
   * @param bytes of their parameters and results
   * @param lane in which they wait; null for that of the job
   * @param workerId the worker that split the dead run
   */
  record Prepared(
      long batchId, int parts, long bytes, @Nullable Lane lane, String workerId, long preparedAt) {}

  /**
   * Copies the parts of a dead run, in transactions of its own.
   *
   * @throws NotReplayedException if it cannot be replayed so
   */
  Prepared prepare(DeadTrigger dead, long now) {
    String name = "dead trigger " + dead.id();
    Integer parts = dead.parts();
    if (PartKey.of(dead.core()).isPresent()) {
      throw NotReplayedException.refused(name + " is a part; it can only be replayed as a whole");
    }
    if (parts == null) {
      throw NotReplayedException.refused(
          name + " was not split into parts; it can only be replayed as a whole");
    }
    if (dead.diedAt() <= now - keep.toMillis()) {
      throw NotReplayedException.refused(
          "the parts of %s are kept for %d hours after its end (batch.keep), which are over; %s"
              .formatted(name, keep.toHours(), AS_A_WHOLE));
    }
    TriggerSpec spec = specOf(dead);
    if (spec.isBroadcast()) {
      throw NotReplayedException.refused(
          name + " has a part for each worker; it can only be replayed as a whole");
    }
    long batchId = ids.next(now);
    Optional<Long> bytes =
        takeover.copy(
            new PartTakeover.Source(
                dead.nodeGroup(), dead.id(), parts, spec.shards() == null, spec.reduce() != null),
            batchId);
    if (bytes.isEmpty()) {
      throw NotReplayedException.refused(
          "some parts of " + name + ", or how they ended, are not known any more; " + AS_A_WHOLE);
    }
    Lane lane = spec.shards() == null ? lanes.ofParts(dead.nodeGroup(), spec.laneOrPlain()) : null;
    return new Prepared(batchId, parts, bytes.get(), lane, workerOf(dead), now);
  }

  private TriggerSpec specOf(DeadTrigger dead) {
    TriggerSpec spec = dead.spec();
    return spec != null ? spec : specOfJob(dead, stores.jobs().find(dead.jobId()));
  }

  /** Its parts were made by that version of the job, so no other one is to run them. */
  private static TriggerSpec specOfJob(DeadTrigger dead, Optional<JobDefinition> job) {
    return job.filter(found -> found.version() == dead.jobVersion())
        .map(JobDefinition::spec)
        .orElseThrow(
            () ->
                NotReplayedException.refused(
                    "the job of dead trigger %d was changed since; %s"
                        .formatted(dead.id(), AS_A_WHOLE)));
  }

  private String workerOf(DeadTrigger dead) {
    return stores.ledger().find(List.of(dead.id())).stream()
        .findFirst()
        .map(LedgerEntry::workerId)
        .orElse("");
  }

  /**
   * Opens the run in the transaction that marks the dead one, and returns its batch.
   *
   * @param job the current definition; empty for a one-shot
   * @param row the run as it would wait
   */
  Batch open(
      DeadTrigger dead,
      Prepared prepared,
      Optional<JobDefinition> job,
      WaitingTrigger row,
      long now) {
    if (now - prepared.preparedAt() > OPENED_WITHIN.toMillis()) {
      throw NotReplayedException.refused("copying the parts took too long; ask again");
    }
    TriggerSpec own = row.spec();
    TriggerSpec spec = own == null ? row.specUnder(specOfJob(dead, job)) : own;
    Execution claimed =
        Execution.claim(prepared.batchId(), dead.nodeGroup(), row, spec, prepared.workerId(), now);
    Execution run = prepared.lane() == null ? claimed : claimed.in(prepared.lane());
    Batch batch =
        Batch.opened(
            run, spec.shards() == null ? BatchKind.MAP : BatchKind.SHARDS, prepared.parts());
    stores.batches().insert(List.of(batch));
    if (prepared.bytes() > 0) {
      stores.batches().addBytes(Map.of(batch.id(), prepared.bytes()));
    }
    return batch;
  }
}
