/**
 * Whether and when a failed attempt is repeated, and how long it may run. Pure: no I/O, no threads,
 * no clock; randomness is an argument.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.retry;
