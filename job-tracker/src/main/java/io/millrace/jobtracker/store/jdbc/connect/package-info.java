/** Access to the database: configuration, connections, transactions and retries. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc.connect;
