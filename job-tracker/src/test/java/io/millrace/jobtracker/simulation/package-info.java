/**
 * The whole cluster driven by hand: one thread, a simulated clock, a network inside the process,
 * and a store that fails when it is told to. Equal seeds give equal ledgers.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.simulation;
