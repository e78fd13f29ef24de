package io.millrace.scripts;

/** Thrown for wrong user input. The message names the input and its location, in one line. */
public final class BadInputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BadInputException(String message) {
    super(message);
  }

  public BadInputException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Requires that the condition holds; otherwise throws an exception with this message. */
  public static void unless(boolean holds, String message) {
    if (!holds) {
      throw new BadInputException(message);
    }
  }
}
