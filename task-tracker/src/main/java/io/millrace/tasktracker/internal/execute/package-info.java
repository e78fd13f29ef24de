/**
 * Runs the invocations of jobs, each in a slot.
 *
 * <p>Invariant: every assignment that is started here ends in exactly one result, even if its
 * invocation throws an error, and no interrupt reaches a thread after the end of the invocation for
 * which it was meant.
 */
@NullMarked
package io.millrace.tasktracker.internal.execute;

import org.jspecify.annotations.NullMarked;
