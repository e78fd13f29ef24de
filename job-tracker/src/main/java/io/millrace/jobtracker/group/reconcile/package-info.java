/**
 * Looks for inconsistencies that no crash can cause, but manual changes, restored backups or faults
 * can: an active job without its next trigger, a trigger without its job, a turn that is not handed
 * on, a waiting table without its node group. It finds them by reading, and changes rows only after
 * it has written the job's row and has seen the same inconsistency again, so operations under way
 * are never taken for damage. Every repair is logged in one line.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.group.reconcile;
