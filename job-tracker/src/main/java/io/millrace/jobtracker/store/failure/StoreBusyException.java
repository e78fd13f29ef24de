package io.millrace.jobtracker.store.failure;

/**
 * A transaction lost to others, or waited for their rows, as often as it may. It is nobody's fault
 * and says nothing about what was to be written: the same may succeed later.
 */
public final class StoreBusyException extends StoreException {
  private static final long serialVersionUID = 1L;

  public StoreBusyException(String message, Throwable cause) {
    super(message, cause);
  }
}
