package io.millrace.jobtracker.store.jdbc;

import io.millrace.jobtracker.store.StoreException;

/** The transaction lost against another one and is to be run again. */
final class LostToConcurrencyException extends StoreException {
  private static final long serialVersionUID = 1L;

  LostToConcurrencyException(String message, Throwable cause) {
    super(message, cause);
  }
}
