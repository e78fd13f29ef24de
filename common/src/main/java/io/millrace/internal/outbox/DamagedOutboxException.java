package io.millrace.internal.outbox;

/** Thrown for a file that cannot be read as an outbox. Never thrown outside this package. */
final class DamagedOutboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DamagedOutboxException(String message) {
    super(message);
  }

  DamagedOutboxException(Throwable cause) {
    super(cause.toString(), cause);
  }
}
