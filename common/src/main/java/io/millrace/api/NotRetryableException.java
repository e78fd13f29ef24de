package io.millrace.api;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler whose failure a retry cannot fix: the trigger ends DEAD at once, whatever its
 * retry policy allows. Only the thrown exception counts, not its causes. A tracker of an earlier
 * version retries by the policy.
 */
public class NotRetryableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Ends the trigger with this message, which the ledger keeps.
   *
   * @param message what is wrong and with what, for the operator who decides on a replay
   */
  public NotRetryableException(String message) {
    this(message, null);
  }

  /**
   * Ends the trigger with this message and a cause.
   *
   * @param cause what was caught; the ledger keeps its stack trace too. Null for none
   */
  public NotRetryableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
