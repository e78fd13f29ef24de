/**
 * Releases executions whose worker is gone, and takes over the executions of an owner that is gone.
 * Only the lease decides, never a missing answer.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.group.recover;
