package io.millrace.jobtracker.store.failure;

/** An insert conflicts with an existing unique key. Its transaction must be rolled back. */
public final class DuplicateKeyException extends StoreException {
  private static final long serialVersionUID = 1L;

  public DuplicateKeyException(String message, Throwable cause) {
    super(message, cause);
  }
}
