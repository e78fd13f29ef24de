/**
 * The API of the worker, which pulls due jobs and executes them. {@link
 * io.millrace.tasktracker.TaskTracker} is the entry point. The services behind it are in the
 * packages {@code pull}, {@code execute}, {@code report} and {@code joblog}, which depend neither
 * on one another nor on this package: {@code RunnerAdapter} and {@code AttemptJobContext} translate
 * between them and the API.
 *
 * <p>Invariant: all state that the services share is confined to one serial executor, the loop. Job
 * invocations run on other threads and only hand their results over to the loop, so no invocation
 * can block a pull, a heartbeat or a report.
 */
@NullMarked
package io.millrace.tasktracker;

import org.jspecify.annotations.NullMarked;
