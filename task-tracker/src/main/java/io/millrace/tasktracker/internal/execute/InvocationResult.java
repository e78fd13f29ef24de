package io.millrace.tasktracker.internal.execute;

import io.millrace.api.Outcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The result that an invocation returns.
 *
 * @param outcome SUCCESS, FAILED or LATER
 * @param delay the delay of a LATER; otherwise null
 * @param value the result of the job as JSON; null if there is none
 */
public record InvocationResult(
    Outcome outcome, @Nullable String message, @Nullable Duration delay, @Nullable String value) {
  static final InvocationResult SUCCESS = new InvocationResult(Outcome.SUCCESS, null, null);

  public InvocationResult(Outcome outcome, @Nullable String message, @Nullable Duration delay) {
    this(outcome, message, delay, null);
  }
}
