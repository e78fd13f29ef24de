/**
 * Ends executions, whatever the reason: one transaction deletes the execution, writes the ledger,
 * the next attempt or the next trigger, and the feedback. Deleting the row is what wins: an
 * execution ends once, and the ledger row of its id is the fence against any later end.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.complete;
