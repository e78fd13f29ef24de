/**
 * Leases of executions. They live in the memory of the tracker that serves the node group and are
 * renewed only by being listed in the worker's pull. Pure: no I/O, no threads, no clock.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.lease;
