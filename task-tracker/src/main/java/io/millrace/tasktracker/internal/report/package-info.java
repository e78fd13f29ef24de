/**
 * Reports the results of executions to the tracker.
 *
 * <p>Invariant: a result is sent until it is answered; one batch is under way at a time.
 */
@NullMarked
package io.millrace.tasktracker.internal.report;

import org.jspecify.annotations.NullMarked;
