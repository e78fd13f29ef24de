/**
 * The tracker. {@link io.millrace.jobtracker.JobTracker} is the door. {@code Engine} wires the
 * rooms: submit, complete, membership and the job log once, and through {@code GroupEngine}
 * generate, preload, pull and recover for each node group that is served. Rooms never import one
 * another; they meet in the store and through {@code signal}.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker;
