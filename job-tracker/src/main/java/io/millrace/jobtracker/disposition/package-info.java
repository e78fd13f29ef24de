/**
 * Writes the effects of the end of a trigger, for every cause of the end: the ledger, the feedback,
 * dead triggers, the next trigger of a chained job, and the release of a held trigger. Services
 * call it in their own transactions.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.disposition;
