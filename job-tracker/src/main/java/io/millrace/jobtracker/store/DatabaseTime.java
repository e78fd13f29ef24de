package io.millrace.jobtracker.store;

/** Reads the database's clock, which decides what is due. */
public interface DatabaseTime {

  /**
   * Returns the database's current time in epoch milliseconds, independent of the session's time
   * zone. Must be called outside any transaction: some databases stop their clock in a transaction.
   */
  long databaseNow();
}
