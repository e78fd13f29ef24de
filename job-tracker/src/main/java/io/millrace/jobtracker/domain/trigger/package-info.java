/**
 * Triggers, their executions and their changes of state. Pure: no I/O, no threads, no clock.
 *
 * <p>A trigger's identity ({@link io.millrace.jobtracker.domain.trigger.TriggerKey}) never changes;
 * each of its waiting rows and executions has an id of its own, and the ids of one trigger rise.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.trigger;
