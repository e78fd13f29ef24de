package io.millrace.torture.database;

/** The environment does not name the program that starts the database; the message says what to. */
public final class ServerProgramMissingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ServerProgramMissingException(String message) {
    super(message);
  }
}
