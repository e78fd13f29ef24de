package io.millrace.jobclient.internal.relay;

import org.jspecify.annotations.Nullable;

/** A row does not contain what its columns say. */
final class UnreadableRowException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableRowException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
