/**
 * Runs the bodies of jobs, each in a slot.
 *
 * <p>Invariant: every assignment started here ends in exactly one result, whatever its body throws,
 * and no interrupt outlives the body it was meant for.
 */
@NullMarked
package io.millrace.tasktracker.execute;

import org.jspecify.annotations.NullMarked;
