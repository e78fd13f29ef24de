/**
 * Decides which tracker serves which node group. Every live tracker computes the same plan from the
 * same rows, and carries out its own part of it. Pure: no I/O, no threads, no clock.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.balance;
