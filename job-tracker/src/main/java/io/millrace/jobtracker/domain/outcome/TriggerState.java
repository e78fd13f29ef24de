package io.millrace.jobtracker.domain.outcome;

import io.millrace.jobtracker.domain.trigger.IllegalTransitionException;
import java.util.Set;

/** States of a trigger; the only place that defines which may follow which. */
public enum TriggerState {
  /** A row of its group's waiting table. */
  WAITING,
  /** A row of the executing table. */
  EXECUTING,
  /** A row of the table of batches: it was split into parts, which have not all ended. */
  BATCH,
  /** Its job reported success. */
  SUCCEEDED,
  /** Its job reported failure. */
  FAILED,
  /**
   * It failed, and no further attempt is allowed; or the worker that alone might run it is gone.
   */
  DEAD,
  /** Cancelled before it succeeded. */
  CANCELLED,
  /**
   * Its instant was missed, its overlap policy skipped it, its job was paused, or its worker is
   * gone.
   */
  SKIPPED;

  /** The states that may follow this one. */
  public Set<TriggerState> next() {
    return switch (this) {
      case WAITING -> Set.of(EXECUTING, BATCH, DEAD, CANCELLED, SKIPPED);
      case EXECUTING -> Set.of(WAITING, BATCH, SUCCEEDED, FAILED, DEAD, CANCELLED, SKIPPED);
      case BATCH -> Set.of(SUCCEEDED, FAILED, DEAD, CANCELLED);
      case SUCCEEDED, FAILED, DEAD, CANCELLED, SKIPPED -> Set.of();
    };
  }

  /** Whether no state follows this one. */
  public boolean isEnd() {
    return next().isEmpty();
  }

  /** The state of a trigger after an execution or a wait that ended with this status. */
  public static TriggerState after(LedgerStatus status) {
    return switch (status) {
      case SUCCEEDED -> SUCCEEDED;
      case FAILED -> FAILED;
      case DEAD -> DEAD;
      case CANCELLED -> CANCELLED;
      case SKIPPED -> SKIPPED;
      case RETRIED, POSTPONED, RETURNED, RESCUED -> WAITING;
    };
  }

  /**
   * Returns the next state.
   *
   * @throws IllegalTransitionException if it may not follow this one
   */
  public TriggerState to(TriggerState next, Object id) {
    if (!next().contains(next)) {
      throw new IllegalTransitionException("trigger", id, this, next);
    }
    return next;
  }
}
