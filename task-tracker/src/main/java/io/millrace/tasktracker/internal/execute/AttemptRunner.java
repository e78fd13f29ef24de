package io.millrace.tasktracker.internal.execute;

import org.jspecify.annotations.Nullable;

/** Runs attempts. Thread-safe. */
@FunctionalInterface
public interface AttemptRunner {

  /**
   * Runs one attempt.
   *
   * @return null means {@link InvocationResult#SUCCESS}
   * @throws Throwable if the attempt failed
   */
  @Nullable InvocationResult run(AttemptContext attempt) throws Throwable;
}
