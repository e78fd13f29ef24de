/**
 * Triggers, their executions and what may become of them. Pure: no I/O, no threads, no clock.
 *
 * <p>A trigger's identity ({@link io.millrace.jobtracker.domain.trigger.TriggerKey}) never changes;
 * every waiting row and every execution of it has an id of its own, and ids rise along one trigger.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.trigger;
