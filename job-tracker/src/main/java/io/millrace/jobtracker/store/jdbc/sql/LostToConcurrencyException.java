package io.millrace.jobtracker.store.jdbc.sql;

import io.millrace.jobtracker.store.failure.StoreException;
import org.jspecify.annotations.Nullable;

/** The transaction lost against another one and must run again. */
public final class LostToConcurrencyException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final boolean waited;

  /**
   * Creates the exception.
   *
   * @param waited whether the transaction had waited for a lock until the time-out
   */
  public LostToConcurrencyException(String message, @Nullable Throwable cause, boolean waited) {
    super(message, cause);
    this.waited = waited;
  }

  public boolean waited() {
    return waited;
  }
}
