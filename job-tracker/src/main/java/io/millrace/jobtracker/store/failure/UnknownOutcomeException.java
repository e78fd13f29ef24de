package io.millrace.jobtracker.store.failure;

/**
 * A commit failed in a way that does not say whether it took effect. Find out by a locking read of
 * the rows it would have written, in a fresh transaction; until then acknowledge nothing.
 */
public final class UnknownOutcomeException extends StoreException {
  private static final long serialVersionUID = 1L;

  public UnknownOutcomeException(String message, Throwable cause) {
    super(message, cause);
  }
}
