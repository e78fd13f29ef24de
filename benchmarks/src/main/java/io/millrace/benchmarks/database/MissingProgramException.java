package io.millrace.benchmarks.database;

/**
 * Thrown if the environment does not name the program that starts a database. The message says what
 * to set.
 */
public final class MissingProgramException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MissingProgramException(String message) {
    super(message);
  }
}
