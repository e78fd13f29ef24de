package io.millrace.common.codec;

/** Text that is not strict JSON. */
final class MalformedJsonException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MalformedJsonException(String message) {
    super(message, null, false, false);
  }
}
