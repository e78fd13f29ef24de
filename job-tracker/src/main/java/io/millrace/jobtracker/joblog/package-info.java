/** Stores the lines that jobs log, separately from everything that dispatches. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.joblog;
