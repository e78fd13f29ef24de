/** The way to the database: configuration, connections, transactions, and trying again. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.connect;
