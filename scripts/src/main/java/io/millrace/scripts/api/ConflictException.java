package io.millrace.scripts.api;

/**
 * What was asked for does not go with the state that it is in. The message says why, in one line.
 */
public final class ConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String text;

  ConflictException(String message, String text) {
    super(message);
    this.text = text;
  }

  /** What the API answered, to the letter. */
  public String text() {
    return text;
  }
}
