package io.millrace.api;

import org.jspecify.annotations.Nullable;

/**
 * Thrown for a parameter of a job that is missing or does not fit the type that its handler asks
 * for. Unless the handler catches it, the trigger ends DEAD without a retry. The message names the
 * job, the parameter, the place in it and the reason.
 */
public class ParameterException extends NotRetryableException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception, as a worker does, or a handler that checks a parameter itself.
   *
   * @param message names the parameter and what is wrong with it
   * @param cause why the value does not fit; null if that is all
   */
  public ParameterException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
