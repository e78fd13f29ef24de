package io.millrace.common.frame;

/** Bytes that are no frame. What follows them on the connection cannot be understood. */
public final class MalformedFrameException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MalformedFrameException(String message) {
    super(message);
  }
}
