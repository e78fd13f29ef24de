package io.millrace.internal.lifecycle;

import java.util.concurrent.CompletionException;

/** Unwraps the failures of completion stages. */
public final class Completions {
  private Completions() {}

  /**
   * The original failure, without the {@link CompletionException} in which a later stage receives
   * it.
   */
  public static Throwable causeOf(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
