/** The SQL of runs that were split into parts. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.batch;
