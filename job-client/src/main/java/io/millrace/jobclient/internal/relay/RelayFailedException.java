package io.millrace.jobclient.internal.relay;

/** The database did not do what the relay asked for; the next run tries again. */
final class RelayFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RelayFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
