package io.millrace.benchmarks.child;

import org.jspecify.annotations.Nullable;

/** A contender did not do what it was told; the message says why. */
public final class ContenderFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ContenderFailedException(String message, @Nullable Exception cause) {
    super(message, cause);
  }
}
