/** SQL that several stores use, and the differences between databases. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.sql;
