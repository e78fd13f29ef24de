package io.millrace.console.http;

/** Is told what the server refuses or closes to keep within its bounds. Thread-safe. */
@FunctionalInterface
public interface Refusals {
  /** Why. */
  enum Reason {
    /** A token that is not known. */
    TOKEN,
    /** Too many connections. */
    CONNECTION,
    /** Bodies or answers that wait in memory. */
    MEMORY,
    /** A peer that took too long to send its request or to take its answer. */
    SLOW
  }

  void refused(Reason reason);
}
