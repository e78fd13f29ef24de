/** Batches of a node group: the owner releases their parts and ends what has ended. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.group.batch;
