/**
 * The tracker. {@link io.millrace.jobtracker.JobTracker} is where it begins. {@code wiring.Engine}
 * makes its services: {@code submit}, {@code complete}, {@code cluster} and the others once, and a
 * {@code group.GroupEngine} for each node group that is served. {@code request.RequestTable} says
 * which of them answers which request. Services do not import one another; they meet in the store
 * and through {@code engine.Signals}.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker;
