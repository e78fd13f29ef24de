package io.millrace.jobtracker.domain.trigger;

import org.jspecify.annotations.Nullable;

/**
 * One attempt to run one trigger on one worker: a row of the executing table.
 *
 * @param id of the attempt; also its fencing token
 * @param nodeGroup the job's node group
 * @param core what every row about the trigger has, with the number of this attempt
 * @param dueAt when this attempt could start at the earliest
 * @param priority as on the waiting row
 * @param generatedAt as on the waiting row
 * @param spec how the trigger runs and ends
 * @param params of a one-shot or an extra run, kept for a further attempt; of a run that may need
 *     them for a reduce, also those of its job's definition; otherwise none
 * @param workerId node id of the worker
 * @param claimedAt when it was claimed, in epoch milliseconds
 * @param stopRequested whether its job was cancelled or the execution was terminated meanwhile: no
 *     attempt follows
 * @param counted whether it counts in its job's number of running triggers: then its end writes the
 *     job's row first
 * @param terminatedBy who terminated it; null if it was not terminated
 */
public record Execution(
    long id,
    String nodeGroup,
    TriggerCore core,
    long dueAt,
    int priority,
    long generatedAt,
    TriggerSpec spec,
    StoredParams params,
    String workerId,
    long claimedAt,
    boolean stopRequested,
    boolean counted,
    @Nullable String terminatedBy)
    implements LiveTrigger {

  /**
   * The earliest instant at which its invocation could begin: it was claimed, and had fallen due.
   */
  public long mayBeginAt() {
    return Math.max(claimedAt, dueAt);
  }

  /**
   * The same execution with the JSON of its parameters left in the store, since it may be large.
   */
  public Execution withParamsLeftInStore() {
    return params.json() == null ? this : with(params.leftInStore());
  }

  /**
   * The same execution with its parameters in full.
   *
   * @param read the parameters in the store; used only if they were left there
   */
  public Execution withParams(@Nullable String read) {
    return with(params.orRead(read));
  }

  /** The same execution with these parameters, which it may not have had on its row. */
  public Execution carrying(StoredParams otherParams) {
    return with(otherParams);
  }

  /** The same execution with the parameters of its trigger: a definition has the others. */
  public Execution withOwnParams() {
    return carriesParams() ? this : with(StoredParams.NONE);
  }

  private boolean carriesParams() {
    return !isOfRecurringJob() || key().isExtra();
  }

  /** The same execution as if it had waited in this lane, as its parts do. */
  public Execution in(Lane lane) {
    return with(spec.in(lane), params);
  }

  private Execution with(StoredParams otherParams) {
    return with(spec, otherParams);
  }

  private Execution with(TriggerSpec otherSpec, StoredParams otherParams) {
    return new Execution(
        id,
        nodeGroup,
        core,
        dueAt,
        priority,
        generatedAt,
        otherSpec,
        otherParams,
        workerId,
        claimedAt,
        stopRequested,
        counted,
        terminatedBy);
  }

  /** Creates the execution of a trigger that a worker claims. */
  public static Execution claim(
      long id, String group, WaitingTrigger trigger, TriggerSpec spec, String worker, long now) {
    return new Execution(
        id,
        group,
        trigger.core(),
        trigger.dueAt(),
        trigger.priority(),
        trigger.generatedAt(),
        spec,
        trigger.params(),
        worker,
        now,
        false,
        trigger.isOfRecurringJob() && spec.overlapPolicy().isExclusive(),
        null);
  }

  /** The waiting row with which this trigger goes back to waiting. */
  public WaitingTrigger backToWaiting(
      long waitingId, long nextDueAt, int nextAttempt, StoredParams fullParams) {
    return new WaitingTrigger(
        waitingId,
        core.withAttempt(nextAttempt),
        nextDueAt,
        priority,
        generatedAt,
        isOfRecurringJob() ? null : spec,
        carriesParams() ? fullParams : StoredParams.NONE,
        true,
        isOfRecurringJob() && key().isExtra()
            ? new Submission(spec.submissionId(), spec.submittedBy(), spec.replayOf())
            : null,
        null,
        spec.placement());
  }
}
