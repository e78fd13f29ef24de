package io.millrace.jobtracker.domain.outcome;

import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerRecord;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import org.jspecify.annotations.Nullable;

/**
 * A trigger that ended DEAD, with everything that a replay needs: a row of {@code jt_dead}.
 * Immutable.
 *
 * @param id of the ledger row that records the end, which is the id of the last execution if the
 *     trigger was executing
 * @param nodeGroup the job's node group
 * @param core what every row about the trigger has, with the number of the last attempt
 * @param priority 0 to 255, lower first
 * @param diedAt when the end was recorded, in epoch milliseconds
 * @param cause why there was no further attempt
 * @param spec of a one-shot; null for a recurring job, whose definition holds it
 * @param params of a one-shot or an extra run; none for what a recurring job's schedule planned
 * @param replayOf the dead trigger that this one replayed; null if it was no replay
 * @param parts into how many parts its run was split; null if it was not
 * @param settlement what was done about it; null if nothing was
 */
public record DeadTrigger(
    long id,
    String nodeGroup,
    TriggerCore core,
    int priority,
    long diedAt,
    @Nullable Cause cause,
    @Nullable TriggerSpec spec,
    StoredParams params,
    @Nullable Long replayOf,
    @Nullable Integer parts,
    @Nullable Settlement settlement)
    implements TriggerRecord {

  /**
   * What was done about a dead trigger.
   *
   * @param at epoch milliseconds
   * @param by who did it
   * @param replay the trigger written in its place; null if the dead one was discarded
   */
  public record Settlement(long at, String by, @Nullable Replay replay) {

    /** The state after the settlement. */
    public DeadState state() {
      return replay == null ? DeadState.DISCARDED : DeadState.REPLAYED;
    }
  }

  /**
   * The trigger that was written in the place of a dead one.
   *
   * @param id of its first waiting row
   * @param ordinal of its key
   */
  public record Replay(long id, int ordinal) {}

  /** The dead trigger that an execution leaves behind. */
  static DeadTrigger of(Execution execution, CompletionDecision verdict, long now) {
    return of(execution, verdict, null, now);
  }

  /** The dead trigger that a run leaves behind that was split into so many parts. */
  static DeadTrigger of(
      Execution execution, CompletionDecision verdict, @Nullable Integer parts, long now) {
    return new DeadTrigger(
        execution.id(),
        execution.nodeGroup(),
        execution.core(),
        execution.priority(),
        now,
        verdict.cause(),
        execution.isOfRecurringJob() ? null : execution.spec(),
        execution.withOwnParams().params(),
        execution.spec().replayOf(),
        parts,
        null);
  }

  /**
   * The dead trigger of one that waited.
   *
   * @param id of the ledger row that records the end
   */
  static DeadTrigger ofWaiting(
      long id, String nodeGroup, WaitingTrigger trigger, @Nullable Cause cause, long now) {
    TriggerSpec spec = trigger.spec();
    return new DeadTrigger(
        id,
        nodeGroup,
        trigger.core().withAttempt(trigger.attempt() - 1),
        trigger.priority(),
        now,
        cause,
        spec,
        trigger.params(),
        spec == null ? null : spec.replayOf(),
        null,
        null);
  }

  /** What has been done about it. */
  public DeadState state() {
    return settlement == null ? DeadState.OPEN : settlement.state();
  }

  /** The trigger that was written in its place; null if there is none. */
  public @Nullable Replay replay() {
    return settlement == null ? null : settlement.replay();
  }
}
