package io.millrace.jobclient.internal.relay;

/** The clock of the database, by which leases and the age of rows are decided. */
@FunctionalInterface
public interface DatabaseClock {

  /** The clock of the database itself. */
  DatabaseClock ITS_OWN = DatabaseKind::nowMillis;

  /** Returns an SQL expression for the time in epoch milliseconds. */
  String expression(DatabaseKind kind);
}
