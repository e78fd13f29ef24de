/**
 * What the end of a trigger writes beside its own row, whoever ends it: the ledger, the feedback,
 * the next trigger of a chained job, the call of one that waits for its turn. Used by rooms, in
 * transactions of theirs.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.disposition;
