/**
 * The head of a waiting queue in memory. It is a cache: the store holds everything that is here, so
 * losing it loses nothing. Pure: no I/O, no threads, no clock.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.waiting;
