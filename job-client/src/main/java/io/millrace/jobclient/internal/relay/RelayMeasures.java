package io.millrace.jobclient.internal.relay;

/** Is notified of rows that are done. Thread-safe. */
@FunctionalInterface
public interface RelayMeasures {

  /** Measures nothing. */
  RelayMeasures NONE = (answer, rows) -> {};

  /**
   * Rows are done.
   *
   * @param answer {@code accepted}, {@code duplicate}, {@code replaced}, {@code cancelled}, {@code
   *     not_found}, or {@code set_aside}
   */
  void done(String answer, int rows);
}
