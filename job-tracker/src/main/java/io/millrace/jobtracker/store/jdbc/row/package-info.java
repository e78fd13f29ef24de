/** Rows read and written in more than one place, the searches over them, and parts of stores. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.row;
