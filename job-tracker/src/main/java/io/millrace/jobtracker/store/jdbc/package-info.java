/**
 * The stores over a relational database: all SQL of the project, and the only user of JDBC, Spring,
 * HikariCP and Flyway. Begin at {@link io.millrace.jobtracker.store.jdbc.JdbcStores}.
 *
 * <p>Every statement runs in a transaction: the one that the calling thread has begun, or a
 * separate one. Each difference between H2 and MySQL is a named method of {@link
 * io.millrace.jobtracker.store.jdbc.sql.Dialect}; no query checks which database it runs on. Text
 * from users becomes part of a statement in {@link
 * io.millrace.jobtracker.store.jdbc.sql.WaitingTableName} only.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.jdbc;
