package io.millrace.jobtracker.store.failure;

import org.jspecify.annotations.Nullable;

/** The store failed; the message names the operation. */
public class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
