/**
 * Assigns due triggers to workers. A pull stays parked until a trigger falls due or the park time,
 * one second by default, is over. The claim moves triggers from waiting to executing in one
 * transaction, and the reply to the pull contains only triggers that this transaction deleted.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.group.pull;
