/** SQL that several stores use, and what differs between databases. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.sql;
