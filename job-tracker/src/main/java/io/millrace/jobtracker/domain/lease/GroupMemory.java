package io.millrace.jobtracker.domain.lease;

import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.domain.waiting.WaitingHeads;

/**
 * What this tracker holds in memory of a node group it serves, from taking it over until releasing
 * it.
 *
 * @param name of the group
 * @param epoch of this ownership
 * @param heads of its waiting queue
 * @param leases of its executions
 */
public record GroupMemory(String name, long epoch, WaitingHeads heads, LeaseTable leases) {

  /** The head of the triggers that any worker may run. */
  public WaitingHead head() {
    return heads.plain().head();
  }
}
