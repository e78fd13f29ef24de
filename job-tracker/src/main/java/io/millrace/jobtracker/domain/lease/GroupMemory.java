package io.millrace.jobtracker.domain.lease;

import io.millrace.jobtracker.domain.waiting.WaitingHead;

/**
 * What this tracker holds in memory of a node group it serves, from taking it over until releasing
 * it.
 *
 * @param name of the group
 * @param epoch of this ownership
 * @param head of its waiting queue
 * @param leases of its executions
 */
public record GroupMemory(String name, long epoch, WaitingHead head, LeaseTable leases) {}
