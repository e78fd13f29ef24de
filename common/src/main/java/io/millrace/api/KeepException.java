package io.millrace.api;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when no tracker has stored the value of a step, a checkpoint or parts, or told what
 * earlier attempts kept or how parts ended: the worker has lost the attempt or is closed, or a
 * tracker is of a version that knows none of it. Whether a value was stored may be unknown then:
 * the next attempt finds it or repeats the step. Parts are never run then, and the next attempt
 * makes its own. An attempt that ends with it is retried as the retry policy says.
 */
public class KeepException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception, as a worker does, or the test of a handler.
   *
   * @param message names the attempt and the reason
   * @param cause what went wrong below; null if nothing did
   */
  public KeepException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
