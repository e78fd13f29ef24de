/**
 * Deletes what is no longer kept of the ledger, the job logs and the feedback: oldest first, in
 * small transactions, a bounded portion a run. What is young enough to be asked about is never
 * touched, however much there is of it.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.purge;
