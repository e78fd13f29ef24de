/**
 * The whole main job, end to end: real nodes over TCP on one machine, on both databases. What must
 * hold is asserted over the ledger once everything has ended; nothing here depends on how fast it
 * ends.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.cluster;
