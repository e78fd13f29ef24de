/** What is kept for those who operate trackers: tokens, audit, workers, load and counts. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.console;
