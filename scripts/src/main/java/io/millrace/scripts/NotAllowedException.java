package io.millrace.scripts;

/** Thrown if the tracker does not permit the command. The message gives the reason, in one line. */
public final class NotAllowedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NotAllowedException(String message) {
    super(message);
  }
}
