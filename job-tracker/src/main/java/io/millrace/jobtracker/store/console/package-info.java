/** The state kept for operators of trackers: tokens, audit, workers, load and counts. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.console;
