package io.millrace.scripts;

/**
 * Thrown if the input is valid but the command fails. The message gives the reason, in one line.
 */
public final class CommandFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CommandFailedException(String message) {
    super(message);
  }

  public CommandFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
