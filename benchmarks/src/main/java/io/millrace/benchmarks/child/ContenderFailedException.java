package io.millrace.benchmarks.child;

import org.jspecify.annotations.Nullable;

/** Thrown if a contender fails to execute a command; the message gives the reason. */
public final class ContenderFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ContenderFailedException(String message, @Nullable Exception cause) {
    super(message, cause);
  }
}
