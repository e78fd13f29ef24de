/**
 * The tracker; {@link io.millrace.jobtracker.JobTracker} is the entry point. {@code wiring.Engine}
 * makes the services: {@code submit}, {@code complete}, {@code cluster} and the others once, and a
 * {@code group.GroupEngine} for each node group that this tracker serves. {@code
 * request.RequestTable} maps each request type to the service that answers it. Services do not
 * import one another; they communicate through the store and through {@code engine.Signals}.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker;
