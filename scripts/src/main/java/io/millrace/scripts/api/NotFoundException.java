package io.millrace.scripts.api;

/** Thrown if the tracker says that there is no such thing. The message names it, in one line. */
public final class NotFoundException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotFoundException(String message) {
    super(message);
  }
}
