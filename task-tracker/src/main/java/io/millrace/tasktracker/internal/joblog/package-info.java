/**
 * Sends the lines that jobs log to the tracker.
 *
 * <p>Invariant: the lines of one execution are sent in the order in which they were written,
 * numbered from 1. The number of lines in memory is bounded; lines that do not fit are counted and
 * dropped. No thread waits for a log line.
 */
@NullMarked
package io.millrace.tasktracker.internal.joblog;

import org.jspecify.annotations.NullMarked;
