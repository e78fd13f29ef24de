package io.millrace.jobtracker.domain.job;

import io.millrace.jobtracker.domain.trigger.IllegalTransitionException;
import java.util.Set;

/** States of a recurring job's definition; the only place that defines which may follow which. */
public enum JobState {
  /** Fires by its schedule. */
  ACTIVE,
  /** Keeps its definition and fires nothing. */
  PAUSED,
  /** No fire time is left and every trigger has ended. */
  FINISHED,
  /** Cancelled by a client or an operator. */
  CANCELLED;

  /** The states that may follow this one. A new submit of the key makes an ended job active. */
  public Set<JobState> next() {
    return switch (this) {
      case ACTIVE -> Set.of(PAUSED, FINISHED, CANCELLED);
      case PAUSED -> Set.of(ACTIVE, CANCELLED);
      case FINISHED, CANCELLED -> Set.of(ACTIVE);
    };
  }

  /** Whether the job occupies its task id. */
  public boolean isLive() {
    return this == ACTIVE || this == PAUSED;
  }

  /**
   * Returns the next state.
   *
   * @throws IllegalTransitionException if it may not follow this one
   */
  public JobState to(JobState next, Object id) {
    if (!next().contains(next)) {
      throw new IllegalTransitionException("job", id, this, next);
    }
    return next;
  }
}
