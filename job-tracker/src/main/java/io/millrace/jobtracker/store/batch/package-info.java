/** Runs that were split into parts, and runs under way wherever they are. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.batch;
