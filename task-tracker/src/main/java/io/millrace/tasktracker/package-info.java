/**
 * The node that pulls due jobs and runs them. {@link io.millrace.tasktracker.TaskTracker} is the
 * door; its rooms do not know one another.
 *
 * <p>Invariant: all state that rooms share is confined to one serial executor, the loop. Job bodies
 * run elsewhere and only hand their results to it, so nothing a body does can block a pull, a
 * heartbeat or a report.
 */
@NullMarked
package io.millrace.tasktracker;

import org.jspecify.annotations.NullMarked;
