package io.millrace.jobtracker.store.failure;

/** An insert met a unique key that is taken. The transaction it ran in is to be rolled back. */
public final class DuplicateKeyException extends StoreException {
  private static final long serialVersionUID = 1L;

  public DuplicateKeyException(String message, Throwable cause) {
    super(message, cause);
  }
}
