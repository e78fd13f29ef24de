package io.millrace.benchmarks.database;

/** Gives out empty databases, all of one kind and with the same settings. */
public interface Databases extends AutoCloseable {

  /** A new one, which nobody else uses. */
  Fresh fresh();

  /** CPU time that a server of its own has used, in microseconds; 0 if there is none. */
  long serverCpuMicros();

  @Override
  void close();

  /** An empty database. Closing it deletes it. */
  interface Fresh extends AutoCloseable {

    /** URL of JDBC. */
    String url();

    /** Who may do everything in it, without a password. */
    String user();

    @Override
    void close();
  }
}
