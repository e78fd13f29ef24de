/**
 * Deletes rows whose retention is over: of the ledger, dead triggers, job logs, feedback, workers,
 * counts, former submissions and the audit. Counts of minutes become counts of hours first. It
 * deletes in small transactions, a bounded portion per run. Ledger rows young enough for a resent
 * submit to depend on are never deleted, regardless of their number.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.purge;
