package io.millrace.api;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when no tracker has stored the value of a step or a checkpoint, or told what earlier
 * attempts kept: the worker has lost the attempt or is closed, or the tracker is of a version that
 * knows no steps. Whether a value was stored may be unknown then: the next attempt finds it or
 * repeats the step. An attempt that ends with it is retried as the retry policy says.
 */
public class KeepException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public KeepException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
