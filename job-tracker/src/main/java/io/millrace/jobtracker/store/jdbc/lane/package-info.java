/** The lanes of node groups in the database. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.lane;
