package io.millrace.jobtracker.store;

import org.jspecify.annotations.Nullable;

/** The store cannot be reached, or refuses to write, whatever is asked of it. */
public final class StoreUnavailableException extends StoreException {
  private static final long serialVersionUID = 1L;

  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
