package io.millrace.jobtracker.group.pull;

import io.millrace.internal.model.Assignment;
import java.util.List;

/**
 * The triggers to claim, and their pulls.
 *
 * @param at when they were assigned
 */
record Assigned(ClaimKind kind, List<Claim> claims, long at) {
  /**
   * Whether the pull of a claim stays parked, and its execution is sent with whichever pull of the
   * worker is parked when the time has come: a trigger that was not due, at its due time, and what
   * is claimed with parts, as soon as it is claimed. Otherwise the execution is sent with this
   * pull, which is no longer parked.
   */
  boolean isSentApart(Claim claim) {
    return isSentApart(claim.trigger().dueAt());
  }

  /** As {@link #isSentApart(Claim)}. */
  boolean isSentApart(Assignment assignment) {
    return isSentApart(assignment.dueAt().toEpochMilli());
  }

  private boolean isSentApart(long dueAt) {
    return kind == ClaimKind.PARTS || dueAt > at;
  }
}
