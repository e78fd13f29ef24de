package io.millrace.internal.json;

/** A text is not JSON, or exceeds a bound; the message names the position. */
public final class MalformedJsonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedJsonException(String message) {
    super(message);
  }
}
