/** Counts of lists in the database. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.count;
