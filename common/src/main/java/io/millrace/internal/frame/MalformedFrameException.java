package io.millrace.internal.frame;

/**
 * Thrown for bytes that are not a frame. The bytes that follow on the connection cannot be decoded.
 */
public final class MalformedFrameException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MalformedFrameException(String message) {
    super(message);
  }
}
