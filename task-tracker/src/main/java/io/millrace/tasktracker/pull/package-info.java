/**
 * Asks the tracker for work, and tells it what this worker holds.
 *
 * <p>Invariant: every slot is free, reserved by exactly one open pull, or running one execution; a
 * reserved slot comes back only by the answer to its pull or by giving that pull up.
 */
@NullMarked
package io.millrace.tasktracker.pull;

import org.jspecify.annotations.NullMarked;
