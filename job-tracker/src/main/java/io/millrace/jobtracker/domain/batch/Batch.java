package io.millrace.jobtracker.domain.batch;

import io.millrace.api.PartFailurePolicy;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.PartOf;
import io.millrace.jobtracker.domain.trigger.SplitRules;
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
 *     for it had split it. Its id is the id of the batch; its parameters are those of its parts,
 *     unless a handler made these, and of its reduce
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
    return opened(run, kind, parts, Ancestry.ofRoot(run.id()), run.claimedAt());
  }

  /**
   * A batch that is open from its split on.
   *
   * @param now when it is split, in epoch milliseconds
   */
  public static Batch opened(
      Execution run, BatchKind kind, int parts, Ancestry ancestry, long now) {
    return of(run, kind, parts, ancestry, now, run.params().bytes());
  }

  /**
   * The batch of an execution that has stored its first parts.
   *
   * @param bytes of the parameters of these parts
   */
  public static Batch staged(Execution run, int parts, long bytes, Ancestry ancestry) {
    return of(run, BatchKind.MAP, parts, ancestry, null, bytes);
  }

  private static Batch of(
      Execution run,
      BatchKind kind,
      int parts,
      Ancestry ancestry,
      @Nullable Long openedAt,
      long bytes) {
    return new Batch(
        run,
        kind,
        openedAt == null ? BatchState.STAGED : BatchState.OPEN,
        PartCounts.of(parts),
        run.spec().onPartFailure(),
        run.spec().reduce() == null ? ReduceState.NONE : ReduceState.TO_COME,
        ancestry,
        openedAt,
        openedAt == null ? null : deadlineOf(run, openedAt),
        null,
        bytes,
        0);
  }

  /** When a run that is split now must have ended; null if it has no deadline. */
  public static @Nullable Long deadlineOf(Execution run, long now) {
    SplitRules rules = run.spec().split();
    return rules == null || rules.within() == null ? null : now + rules.within().toMillis();
  }

  public long id() {
    return run.id();
  }

  public String nodeGroup() {
    return run.nodeGroup();
  }

  /** As the other method, for a part with the runner of its run. */
  public WaitingTrigger part(int number, long rowId, StoredParams params, long now) {
    return part(number, rowId, (String) null, params, now);
  }

  /** A part that only this worker may run, with the runner and the parameters of its run. */
  public WaitingTrigger boundPart(int number, long rowId, BoundTo worker, long now) {
    return part(number, rowId, specOfPart(worker), run.params(), now);
  }

  /**
   * A part as it waits for its first attempt.
   *
   * @param number of the part
   * @param rowId id of the waiting row
   * @param handler name of its runner; null means that of the run
   * @param params of the part
   * @param now when it is released: its due time, so that it waits behind what fell due before; but
   *     a run that was claimed ahead of its due time does not begin before it
   */
  public WaitingTrigger part(
      int number, long rowId, @Nullable String handler, StoredParams params, long now) {
    return part(number, rowId, specOfParts(handler), params, now);
  }

  /**
   * The part that runs after all others, as it waits for its first attempt.
   *
   * @param number the highest of the batch
   */
  public WaitingTrigger reducePart(int number, long rowId, long now) {
    TriggerSpec spec = run.spec().ofPart(partOf(true, null), run.spec().reduce());
    return part(number, rowId, spec, run.params(), now);
  }

  /**
   * A replay of a part as it waits for its first attempt.
   *
   * @param spec that of the dead part, as its replay has it
   */
  public WaitingTrigger replay(
      int number, long rowId, TriggerSpec spec, StoredParams params, long now) {
    return part(number, rowId, spec, params, now);
  }

  /** The spec of its parts that name no runner of their own. */
  public TriggerSpec specOfParts() {
    return specOfParts(null);
  }

  /** The spec of its parts with this runner; null means that of the run. */
  public TriggerSpec specOfParts(@Nullable String handler) {
    return run.spec().ofPart(partOf(false, null), handler);
  }

  /** The spec of the part that only this worker may run. */
  public TriggerSpec specOfPart(BoundTo worker) {
    return run.spec().ofPart(partOf(false, worker), null);
  }

  private PartOf partOf(boolean reduces, @Nullable BoundTo worker) {
    PartOf above = run.spec().part();
    return new PartOf(
        id(),
        above == null ? run.key().taskId() : above.taskId(),
        kind == BatchKind.MAP || reduces ? null : (Integer) places(),
        reduces,
        worker,
        null);
  }

  private WaitingTrigger part(
      int number, long rowId, TriggerSpec spec, StoredParams params, long now) {
    PartKey key = new PartKey(id(), number);
    return new WaitingTrigger(
        rowId,
        new TriggerCore(key.trigger(), id(), 0, run.plannedFor(), 1),
        Math.max(now, run.dueAt()),
        run.priority(),
        now,
        spec,
        params,
        false,
        null,
        null,
        spec.placement());
  }

  /** Into how many parts the run was split: without replays, and without the reduce. */
  public int places() {
    boolean hasReduce = reduce != ReduceState.NONE && reduce != ReduceState.TO_COME;
    return counts.total() - counts.replaced() - (hasReduce ? 1 : 0);
  }

  /** Why an open batch is to be stopped now; null if it is not. */
  public @Nullable BatchStop whyToStop(long now) {
    if (state != BatchState.OPEN || counts.isAllEnded()) {
      return null;
    }
    if (deadline != null && now >= deadline) {
      return BatchStop.DEADLINE;
    }
    return progress().isToStop() ? BatchStop.PART_FAILED : null;
  }

  /** How far it is. */
  public BatchProgress progress() {
    return BatchProgress.of(counts, state, onPartFailure);
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
