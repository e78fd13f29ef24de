package io.millrace.jobtracker.domain.batch;

import io.millrace.jobtracker.domain.trigger.IllegalTransitionException;
import java.util.Set;

/** States of a batch; the only place that defines which may follow which. */
public enum BatchState {
  /** An attempt stores its parts; none is a trigger yet. */
  STAGED,
  /** Its parts wait, run and end. */
  OPEN,
  /** It was told to end: none of its parts begins any more. */
  STOPPING,
  /** Its row is gone. The ledger has the end of the run, unless the batch never opened. */
  ENDED;

  /** The states that may follow this one. */
  public Set<BatchState> next() {
    return switch (this) {
      case STAGED -> Set.of(OPEN, ENDED);
      case OPEN -> Set.of(STOPPING, ENDED);
      case STOPPING -> Set.of(ENDED);
      case ENDED -> Set.of();
    };
  }

  /** Whether the run is under way as a batch. */
  public boolean isUnderWay() {
    return this == OPEN || this == STOPPING;
  }

  /**
   * Returns the next state.
   *
   * @throws IllegalTransitionException if it may not follow this one
   */
  public BatchState to(BatchState next, Object id) {
    if (!next().contains(next)) {
      throw new IllegalTransitionException("batch", id, this, next);
    }
    return next;
  }
}
