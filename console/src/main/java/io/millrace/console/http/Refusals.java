package io.millrace.console.http;

/** Receives what the server refuses or closes to stay within its limits. Thread-safe. */
@FunctionalInterface
public interface Refusals {
  /** The reason. */
  enum Reason {
    /** An unknown token. */
    TOKEN,
    /** Too many connections. */
    CONNECTION,
    /** Too many bodies or answers in memory. */
    MEMORY,
    /** A peer that took too long to send its request or to take its answer. */
    SLOW
  }

  void refused(Reason reason);
}
