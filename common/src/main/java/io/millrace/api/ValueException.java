package io.millrace.api;

import org.jspecify.annotations.Nullable;

/** Thrown when a value has no JSON form, or JSON does not fit the type that was asked for. */
public class ValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ValueException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
