package io.millrace.jobtracker.group.pull;

import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;

/** A claim whose job is known, with the spec and parameters for its execution. */
record Candidate(Claim claim, TriggerSpec spec, StoredParams jobParams) {
  WaitingTrigger trigger() {
    return claim.trigger();
  }

  long rowId() {
    return claim.trigger().id();
  }

  long paramsBytes() {
    return (trigger().carriesParams() ? trigger().params() : jobParams).bytes();
  }

  /** Whether its worker may run it: only one that knows parts may run, or split into, parts. */
  boolean fitsItsWorker() {
    return (spec.shards() == null && spec.part() == null)
        || claim.pull().offers.contains(Lane.PARTS);
  }

  /** Whether another trigger of the job may prevent this one from running. */
  boolean needsItsTurn() {
    return trigger().isOfRecurringJob() && !trigger().begun() && spec.overlapPolicy().isExclusive();
  }
}
