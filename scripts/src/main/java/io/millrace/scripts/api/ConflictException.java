package io.millrace.scripts.api;

/**
 * Thrown if a request conflicts with the current state. The message gives the reason, in one line.
 */
public final class ConflictException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String text;

  ConflictException(String message, String text) {
    super(message);
    this.text = text;
  }

  /** Returns the response body, unchanged. */
  public String text() {
    return text;
  }
}
