/**
 * The tracker. {@link io.millrace.jobtracker.JobTracker} wires the rooms in the order of the flow:
 * submit, generate, preload, pull, complete, recover. Rooms never import one another; they meet in
 * the store and through {@code signal}.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker;
