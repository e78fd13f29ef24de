package io.millrace.jobtracker.group.pull;

import io.millrace.internal.model.Assignment;
import java.util.List;

/**
 * The triggers to claim, and their pulls.
 *
 * @param at when they were assigned. A trigger that was due then is sent with its pull, which is no
 *     longer parked; a trigger that was not due is sent at its due time, and its pull stays parked
 */
record Assigned(List<Claim> claims, long at) {
  boolean isAhead(Claim claim) {
    return claim.trigger().dueAt() > at;
  }

  boolean isAhead(Assignment assignment) {
    return assignment.dueAt().toEpochMilli() > at;
  }
}
