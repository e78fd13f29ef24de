package io.millrace.torture.database;

/**
 * Thrown if the environment does not name the program that starts the database. The message says
 * what to set.
 */
public final class ServerProgramMissingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ServerProgramMissingException(String message) {
    super(message);
  }
}
