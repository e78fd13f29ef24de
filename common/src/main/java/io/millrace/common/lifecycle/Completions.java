package io.millrace.common.lifecycle;

import java.util.concurrent.CompletionException;

/** What stages of completion fail with. */
public final class Completions {
  private Completions() {}

  /** The failure itself, out of the exception in which a later stage finds it. */
  public static Throwable causeOf(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
