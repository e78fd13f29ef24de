/** Rows read and written in more than one place, and the searches over them. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.row;
