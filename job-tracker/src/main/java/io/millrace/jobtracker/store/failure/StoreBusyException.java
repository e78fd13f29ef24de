package io.millrace.jobtracker.store.failure;

/**
 * A transaction lost to others, or waited for their rows, as often as allowed. This does not mean
 * that the data is invalid: the same transaction may succeed later.
 */
public final class StoreBusyException extends StoreException {
  private static final long serialVersionUID = 1L;

  public StoreBusyException(String message, Throwable cause) {
    super(message, cause);
  }
}
