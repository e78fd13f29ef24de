package io.millrace.api;

import org.jspecify.annotations.Nullable;

/** Thrown when a value has no JSON form, or JSON does not fit the type that was asked for. */
public class ValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception, as a {@link ValueMapper} does.
   *
   * @param message names the place in the value, and why it does not fit
   * @param cause what the mapper's library has thrown; null if none
   */
  public ValueException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
