/**
 * Sends what gathers, in batches, to a tracker that is not always there.
 *
 * <p>Invariant: one batch is under way at a time and items leave in the order they were added; an
 * item is sent again until the tracker has answered for it.
 */
@NullMarked
package io.millrace.tasktracker.delivery;

import org.jspecify.annotations.NullMarked;
