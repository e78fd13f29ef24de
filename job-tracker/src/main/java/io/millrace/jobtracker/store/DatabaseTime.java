package io.millrace.jobtracker.store;

/** Reads the database's clock: the authority on what is due. */
public interface DatabaseTime {

  /**
   * Now by the database, in epoch milliseconds, whatever the session's time zone. Must be called
   * outside any transaction, which may hold the database's clock still.
   */
  long databaseNow();
}
