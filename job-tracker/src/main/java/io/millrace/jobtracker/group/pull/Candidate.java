package io.millrace.jobtracker.group.pull;

import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import java.util.List;

/**
 * A claim whose job is known, with the spec and parameters for its execution.
 *
 * @param workers those that it is for, if it is a broadcast; none if they are not known yet
 */
record Candidate(Claim claim, TriggerSpec spec, StoredParams jobParams, List<BoundTo> workers) {
  WaitingTrigger trigger() {
    return claim.trigger();
  }

  long rowId() {
    return claim.trigger().id();
  }

  long paramsBytes() {
    return (trigger().carriesParams() ? trigger().params() : jobParams).bytes();
  }

  /**
   * Whether its worker may run it: only one that knows parts may run, or split into, parts. A
   * broadcast waits until its workers are known.
   */
  boolean fitsItsWorker() {
    if (spec.isBroadcast() && workers.isEmpty()) {
      return false;
    }
    return (!spec.isSplitByItsClaim() && spec.part() == null)
        || claim.pull().offers.contains(Lane.PARTS);
  }

  /** Whether another trigger of the job may prevent this one from running. */
  boolean needsItsTurn() {
    return trigger().isOfRecurringJob() && !trigger().begun() && spec.overlapPolicy().isExclusive();
  }
}
