/**
 * Explains why a job has or has not run. Reads only, takes no locks, and every read is bounded.
 * Invents nothing: if the store fails, the answer fails.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.explain;
