/**
 * Sends items in batches to a tracker that is not always connected.
 *
 * <p>Invariant: one batch is under way at a time, and its items are sent in their order. An item is
 * sent again until the tracker has answered for it.
 */
@NullMarked
package io.millrace.tasktracker.internal.delivery;

import org.jspecify.annotations.NullMarked;
