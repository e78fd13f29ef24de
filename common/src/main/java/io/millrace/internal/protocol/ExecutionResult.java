package io.millrace.internal.protocol;

import io.millrace.api.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A worker's report on one attempt. The tracker applies the policies: it decides from its own rows
 * what follows.
 *
 * @param executionId the attempt
 * @param outcome how the attempt ended
 * @param message for a person; the stack trace of an exception
 * @param laterDelay with LATER, the delay until the next run
 * @param exceptionTypes with EXCEPTION, names of the thrown class and its superclasses, from the
 *     thrown one upwards
 * @param startedAt when the invocation began, by the worker's clock; null if it never did
 * @param finishedAt when the attempt ended, by the worker's clock
 * @param kept true if the run keeps steps or a checkpoint, as far as the worker knows; null
 *     otherwise
 */
public record ExecutionResult(
    long executionId,
    Outcome outcome,
    @Nullable String message,
    @Nullable Duration laterDelay,
    List<String> exceptionTypes,
    @Nullable Instant startedAt,
    Instant finishedAt,
    @Nullable Boolean kept) {

  /** Longest message that is kept, in characters. */
  public static final int MAX_MESSAGE_CHARS = 4_000;

  public ExecutionResult {
    outcome = outcome == null ? Outcome.UNKNOWN : outcome;
    exceptionTypes = exceptionTypes == null ? List.of() : List.copyOf(exceptionTypes);
  }

  /** A report on an attempt of a run that keeps nothing. */
  public ExecutionResult(
      long executionId,
      Outcome outcome,
      @Nullable String message,
      @Nullable Duration laterDelay,
      List<String> exceptionTypes,
      @Nullable Instant startedAt,
      Instant finishedAt) {
    this(
        executionId, outcome, message, laterDelay, exceptionTypes, startedAt, finishedAt, null);
  }

  /** The same report on an attempt of a run that keeps steps or a checkpoint. */
  public ExecutionResult withKept() {
    return new ExecutionResult(
        executionId, outcome, message, laterDelay, exceptionTypes, startedAt, finishedAt, true);
  }

  /** Whether the run keeps steps or a checkpoint, as far as the worker knows. */
  public boolean hasKept() {
    return Boolean.TRUE.equals(kept);
  }
}
