/**
 * Carries the lines that jobs log to the tracker.
 *
 * <p>Invariant: lines of one execution leave in the order they were written, numbered from 1; what
 * is kept is bounded, and what does not fit is counted and dropped. Nobody ever waits for a log
 * line.
 */
@NullMarked
package io.millrace.tasktracker.joblog;

import org.jspecify.annotations.NullMarked;
