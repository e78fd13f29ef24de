package io.millrace.scripts;

/** The tracker does not let this operator do it. The message says why, in one line. */
public final class NotAllowedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NotAllowedException(String message) {
    super(message);
  }
}
