package io.millrace.jobtracker.domain.batch;

import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.PartOf;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import org.jspecify.annotations.Nullable;

/**
 * A run that was split into parts: a row of {@code jt_batch}, from its split to its end. It has no
 * worker, no lease, and no row in waiting or executing. What the run was defined by stays here: an
 * edit of its job does not change it.
 *
 * @param run the execution that split, as it was; if no handler ran, as if the worker that asked
 *     for it had split it. Its id is the id of the batch; its parameters are those of the parts, if
 *     these have none of their own
 * @param kind what it was split into
 * @param state how far it is
 * @param counts of its parts
 * @param onPartFailure what a failed part means
 * @param reduce the part that runs after all others
 * @param ancestry the batches above
 * @param openedAt when its parts became triggers, in epoch milliseconds; null while it is staged
 * @param deadline when it must have ended, in epoch milliseconds; null if it has no deadline
 * @param stop why it was told to end; null if it was not
 * @param bytes of the parameters and results that are stored for its parts
 * @param partsBelow parts of all batches below, if it is a root
 */
public record Batch(
    Execution run,
    BatchKind kind,
    BatchState state,
    PartCounts counts,
    PartFailurePolicy onPartFailure,
    ReduceState reduce,
    Ancestry ancestry,
    @Nullable Long openedAt,
    @Nullable Long deadline,
    @Nullable BatchStop stop,
    long bytes,
    int partsBelow) {

  public Batch {
    if ((state == BatchState.STOPPING) != (stop != null)) {
      throw new IllegalArgumentException("batch " + run.id() + " is " + state + " for " + stop);
    }
    if ((state == BatchState.STAGED) != (openedAt == null)) {
      throw new IllegalArgumentException(
          "batch " + run.id() + " is " + state + " and was opened at " + openedAt);
    }
  }

  /** The batch of a job's own run, open from its split on. */
  public static Batch opened(Execution run, BatchKind kind, int parts) {
    return new Batch(
        run,
        kind,
        BatchState.OPEN,
        PartCounts.of(parts),
        PartFailurePolicy.FINISH,
        ReduceState.NONE,
        Ancestry.ofRoot(run.id()),
        run.claimedAt(),
        null,
        null,
        run.params().bytes(),
        0);
  }

  public long id() {
    return run.id();
  }

  public String nodeGroup() {
    return run.nodeGroup();
  }

  /**
   * A part as it waits for its first attempt.
   *
   * @param number of the part
   * @param rowId id of the waiting row
   * @param params of the part
   * @param now when it is released: its due time, so that it waits behind what fell due before; but
   *     a run that was claimed ahead of its due time does not begin before it
   */
  public WaitingTrigger part(int number, long rowId, StoredParams params, long now) {
    PartKey key = new PartKey(id(), number);
    Integer shards = kind == BatchKind.SHARDS ? counts.total() : null;
    return new WaitingTrigger(
        rowId,
        new TriggerCore(key.trigger(), id(), 0, run.plannedFor(), 1),
        Math.max(now, run.dueAt()),
        run.priority(),
        now,
        run.spec().ofPart(new PartOf(id(), run.key().taskId(), shards)),
        params,
        false,
        null,
        null);
  }

  /** The spec under which parts end that never run. */
  public TriggerSpec specOfParts() {
    return run.spec().ofPart(new PartOf(id(), run.key().taskId(), null));
  }

  /** The run with the parameters of its own row; the job's definition has those of the others. */
  public Execution runAsItWas() {
    return run.isOfRecurringJob() && !run.key().isExtra() ? run.carrying(StoredParams.NONE) : run;
  }

  /** The batch with other counts. */
  public Batch with(PartCounts other) {
    return with(state, other, stop);
  }

  /**
   * The batch after it was told to end.
   *
   * @param withdrawn how many of its parts waited
   */
  public Batch stopped(BatchStop why, int withdrawn) {
    return with(state.to(BatchState.STOPPING, id()), counts.stopping(withdrawn), why);
  }

  private Batch with(BatchState otherState, PartCounts otherCounts, @Nullable BatchStop why) {
    return new Batch(
        run,
        kind,
        otherState,
        otherCounts,
        onPartFailure,
        reduce,
        ancestry,
        openedAt,
        deadline,
        why,
        bytes,
        partsBelow);
  }
}
