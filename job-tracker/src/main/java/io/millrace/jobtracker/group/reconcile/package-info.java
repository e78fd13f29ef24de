/**
 * Looks for what no crash can leave behind and hands, restored backups or faults can: an active job
 * without its next trigger, a trigger without its job, a turn that nobody hands on, a waiting table
 * without its node group. Finds it by reading, and changes something only after it has written the
 * job's row and has seen the same again; so what others are in the middle of is never taken for
 * damage. Every repair is a line in the log.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.group.reconcile;
