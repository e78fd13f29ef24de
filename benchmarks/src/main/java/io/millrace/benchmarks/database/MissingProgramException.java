package io.millrace.benchmarks.database;

/** The environment does not name the program that starts a database; the message says what to. */
public final class MissingProgramException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MissingProgramException(String message) {
    super(message);
  }
}
