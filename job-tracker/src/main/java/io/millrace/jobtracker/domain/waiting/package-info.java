/**
 * The head of a waiting queue in memory. A cache, never a state: what is here is in the store too,
 * and losing it loses nothing. Pure: no I/O, no threads, no clock.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.waiting;
