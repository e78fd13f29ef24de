/**
 * Which retry policies are accepted, and how long to wait before a retry. Pure: no I/O, no threads,
 * no clock; randomness is an argument.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.retry;
