/**
 * Tells people what went wrong: gathers what happens and what stands, in bounded memory, says when
 * a message about it is due, and hands messages to receivers until they are taken. Nothing here is
 * waited for by whoever runs jobs.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.alert;
