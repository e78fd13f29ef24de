/**
 * Ends executions for every reason. One transaction deletes the execution and writes the ledger,
 * the next attempt or the next trigger, and the feedback. The end that deletes the row wins: an
 * execution ends once, and the ledger row of its id rejects every later end.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.complete;
