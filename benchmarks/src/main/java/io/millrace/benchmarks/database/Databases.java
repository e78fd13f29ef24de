package io.millrace.benchmarks.database;

/** Provides empty databases, all of one kind and with the same settings. */
public interface Databases extends AutoCloseable {

  /** Creates a new database for exclusive use. */
  Fresh fresh();

  /**
   * Returns the CPU time used by a separate server process, in microseconds; 0 if there is none.
   */
  long serverCpuMicros();

  @Override
  void close();

  /** An empty database. Closing it deletes it. */
  interface Fresh extends AutoCloseable {

    /** Returns the JDBC URL. */
    String url();

    /** Returns the user with all privileges, who has no password. */
    String user();

    @Override
    void close();
  }
}
