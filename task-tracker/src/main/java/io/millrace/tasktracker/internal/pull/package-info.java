/**
 * Pulls work from the tracker, and reports to it which executions this worker holds.
 *
 * <p>Invariant: every slot is free, reserved by exactly one open pull, or running one execution; a
 * reserved slot is released only by an answer to a pull or when its pull is given up.
 */
@NullMarked
package io.millrace.tasktracker.internal.pull;

import org.jspecify.annotations.NullMarked;
