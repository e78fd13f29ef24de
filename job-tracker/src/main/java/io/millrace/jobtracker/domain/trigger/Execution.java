package io.millrace.jobtracker.domain.trigger;

import org.jspecify.annotations.Nullable;

/**
 * One attempt to run one trigger on one worker: a row of the executing table.
 *
 * @param id of the attempt; also its fencing token
 * @param nodeGroup the job's node group
 * @param key identity of the trigger
 * @param jobId as on the waiting row
 * @param jobVersion as on the waiting row; 0 for a one-shot
 * @param plannedFor as on the waiting row
 * @param dueAt when this attempt could start at the earliest
 * @param priority as on the waiting row
 * @param attempt number of this attempt, from 1
 * @param generatedAt as on the waiting row
 * @param spec how the trigger runs and ends
 * @param params of a one-shot or an extra run, kept for a further attempt; otherwise none
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
    TriggerKey key,
    long jobId,
    int jobVersion,
    long plannedFor,
    long dueAt,
    int priority,
    int attempt,
    long generatedAt,
    TriggerSpec spec,
    StoredParams params,
    String workerId,
    long claimedAt,
    boolean stopRequested,
    boolean counted,
    @Nullable String terminatedBy) {

  /**
   * Creates an execution that was not terminated and that does not count in its job's number of
   * running triggers.
   */
  public Execution(
      long id,
      String nodeGroup,
      TriggerKey key,
      long jobId,
      int jobVersion,
      long plannedFor,
      long dueAt,
      int priority,
      int attempt,
      long generatedAt,
      TriggerSpec spec,
      StoredParams params,
      String workerId,
      long claimedAt,
      boolean stopRequested) {
    this(
        id,
        nodeGroup,
        key,
        jobId,
        jobVersion,
        plannedFor,
        dueAt,
        priority,
        attempt,
        generatedAt,
        spec,
        params,
        workerId,
        claimedAt,
        stopRequested,
        false,
        null);
  }

  /**
   * The earliest instant at which its invocation could begin: it was claimed, and had fallen due.
   */
  public long mayBeginAt() {
    return Math.max(claimedAt, dueAt);
  }

  /** Whether it belongs to a recurring job, which has a definition. */
  public boolean isOfRecurringJob() {
    return jobVersion > 0;
  }

  /**
   * The same execution with the JSON of its parameters left in the store, since it may be large.
   */
  public Execution withParamsLeftInStore() {
    return params.json() == null
        ? this
        : new Execution(
            id,
            nodeGroup,
            key,
            jobId,
            jobVersion,
            plannedFor,
            dueAt,
            priority,
            attempt,
            generatedAt,
            spec,
            new StoredParams(params.bytes(), null),
            workerId,
            claimedAt,
            stopRequested,
            counted,
            terminatedBy);
  }

  /**
   * The same execution with its parameters in full.
   *
   * @param read the parameters in the store; used only if they were left there
   */
  public Execution withParams(@Nullable String read) {
    return new Execution(
        id,
        nodeGroup,
        key,
        jobId,
        jobVersion,
        plannedFor,
        dueAt,
        priority,
        attempt,
        generatedAt,
        spec,
        params.orRead(read),
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
        trigger.key(),
        trigger.jobId(),
        trigger.jobVersion(),
        trigger.plannedFor(),
        trigger.dueAt(),
        trigger.priority(),
        trigger.attempt(),
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
        key,
        jobId,
        jobVersion,
        plannedFor,
        nextDueAt,
        priority,
        nextAttempt,
        generatedAt,
        isOfRecurringJob() ? null : spec,
        fullParams,
        true,
        key.isExtra()
            ? new Submission(spec.submissionId(), spec.submittedBy(), spec.replayOf())
            : null);
  }
}
