package io.millrace.jobtracker.domain.trigger;

import org.jspecify.annotations.Nullable;

/**
 * A row of a waiting table. Never updated in place: each time a trigger goes back to waiting it
 * gets a new row with a new id, so an old copy in memory can never claim a newer row.
 *
 * @param id of this row
 * @param core what every row about the trigger has, with the number of the next attempt
 * @param dueAt when the next attempt may start, in epoch milliseconds
 * @param priority 0 to 255, lower first
 * @param generatedAt when the trigger was first written, in epoch milliseconds
 * @param spec of a one-shot; null for a recurring job, whose definition holds it
 * @param params of a one-shot or an extra run; none for what a recurring job's schedule planned,
 *     whose definition holds them
 * @param begun whether a worker has claimed it before, or it was called up from the queue: then it
 *     counts as running, and cannot be missed
 * @param submission of an extra run, the request for it; otherwise null
 * @param nextAt when the next fire time of its job is due, in epoch milliseconds: from then on the
 *     trigger is missed. Null if there is none, or if no later fire time replaces the trigger
 * @param placement which workers it is for
 */
public record WaitingTrigger(
    long id,
    TriggerCore core,
    long dueAt,
    int priority,
    long generatedAt,
    @Nullable TriggerSpec spec,
    StoredParams params,
    boolean begun,
    @Nullable Submission submission,
    @Nullable Long nextAt,
    Placement placement)
    implements LiveTrigger, Ranked {

  /** The due time of a trigger that waits for its turn: it never falls due by itself. */
  public static final long HELD = Long.MAX_VALUE;

  /** A row that any worker may run. */
  public WaitingTrigger(
      long id,
      TriggerCore core,
      long dueAt,
      int priority,
      long generatedAt,
      @Nullable TriggerSpec spec,
      StoredParams params,
      boolean begun,
      @Nullable Submission submission,
      @Nullable Long nextAt) {
    this(
        id,
        core,
        dueAt,
        priority,
        generatedAt,
        spec,
        params,
        begun,
        submission,
        nextAt,
        Placement.ANYWHERE);
  }

  /** The first row of a one-shot. */
  public static WaitingTrigger oneShot(
      long id,
      String taskId,
      long dueAt,
      int priority,
      long now,
      TriggerSpec spec,
      StoredParams params) {
    TriggerCore core = new TriggerCore(TriggerKey.oneShot(taskId), id, 0, dueAt, 1);
    return new WaitingTrigger(
        id, core, dueAt, priority, now, spec, params, false, null, null, spec.placement());
  }

  /**
   * Whether the row holds its parameters; those of other triggers are in their job's definition.
   */
  public boolean carriesParams() {
    return !isOfRecurringJob() || key().isExtra();
  }

  /** The number of the lane in which it waits. */
  public int lane() {
    return placement.lane();
  }

  /** Whether it waits for its turn, because another trigger of its job runs. */
  public boolean isHeld() {
    return dueAt == HELD;
  }

  /**
   * Whether it can be missed: a trigger that a schedule planned and that no worker has claimed.
   * One-shots, retries and requested runs are never missed, and a trigger that waits for its turn
   * is not late.
   */
  public boolean isMissable() {
    return isOfRecurringJob() && !key().isExtra() && !begun && !isHeld();
  }

  /**
   * The last millisecond at which the trigger is not missed, if it can be.
   *
   * @param threshold how late it may be, in milliseconds, while the next fire time is not due
   */
  public long inTimeUntil(long threshold) {
    long late = plannedFor() + threshold;
    return nextAt == null ? late : Math.min(late, nextAt - 1);
  }

  /** The spec of this trigger, given that of its job's definition. */
  public TriggerSpec specUnder(TriggerSpec jobSpec) {
    return submission == null ? jobSpec : jobSpec.askedBy(submission);
  }

  /** The same trigger with its parameters read. */
  public WaitingTrigger withParams(StoredParams read) {
    return copy(id, dueAt, read, begun);
  }

  /** The row as it would be read from the store: without the JSON of large parameters. */
  public WaitingTrigger asReadBack() {
    return params.isInline() ? this : withParams(params.leftInStore());
  }

  /** The same trigger as a new row that waits for its turn. */
  public WaitingTrigger held(long newId) {
    return copy(newId, HELD, params, begun);
  }

  /**
   * The same trigger as a new row, called up because it is its turn. It is due now, or at the
   * instant it is planned for if that is later: a trigger that was claimed ahead may have been held
   * before its time.
   */
  public WaitingTrigger calledUp(long newId, long now) {
    return copy(newId, Math.max(now, plannedFor()), params, true);
  }

  private WaitingTrigger copy(long newId, long newDueAt, StoredParams newParams, boolean newBegun) {
    return new WaitingTrigger(
        newId,
        core,
        newDueAt,
        priority,
        generatedAt,
        spec,
        newParams,
        newBegun,
        submission,
        nextAt,
        placement);
  }
}
