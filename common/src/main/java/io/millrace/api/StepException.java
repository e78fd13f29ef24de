package io.millrace.api;

import org.jspecify.annotations.Nullable;

/**
 * Thrown for a step or a checkpoint that the job uses wrongly: a name used twice in an attempt, a
 * value that is too large, has no JSON form or does not fit the type that is asked for, too many
 * steps. Unless the handler catches it, the trigger ends DEAD without a retry, so that no step is
 * repeated. The message names the step and the reason.
 */
public class StepException extends NotRetryableException {
  private static final long serialVersionUID = 1L;

  public StepException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
