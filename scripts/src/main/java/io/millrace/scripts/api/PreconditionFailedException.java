package io.millrace.scripts.api;

/**
 * Thrown if what a request is about has changed since it was read. The message says what has
 * changed, in one line.
 */
public final class PreconditionFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PreconditionFailedException(String message) {
    super(message);
  }
}
