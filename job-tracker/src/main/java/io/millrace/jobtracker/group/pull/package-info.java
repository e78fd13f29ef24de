/**
 * Hands due triggers to workers. A pull waits, parked, until something falls due or a second is
 * over; the claim moves triggers from waiting to executing in one transaction, and only what it
 * deleted itself leaves, in the reply to that pull.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.group.pull;
